package quarterjack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// SignatureError says that a delivery is not from Quarterjack, was changed on the way, or is too old. Answer
// 401, and do nothing.
type SignatureError struct{ Reason string }

func (e *SignatureError) Error() string { return e.Reason }

// VerifyOptions say how deliveries are checked.
type VerifyOptions struct {
	// Secret is whsec_… of the receiver's host; during a rotation both, separated by a space. Default: the
	// environment variable QUARTERJACK_SECRET.
	Secret string
	// Legacy accepts a delivery that only its body proves, as a legacy secret of the project signs it.
	Legacy bool
	// Tolerance is the largest accepted distance between the delivery's timestamp and now. Default 5 minutes.
	Tolerance time.Duration
	// Now replaces the clock.
	Now func() time.Time
}

// Delivery is one that Verify has checked.
type Delivery struct {
	// ID identifies the execution, and is the same on every attempt: deduplicate by it.
	ID     string
	JobID  string
	ExecID string
	// Attempt counts from 1.
	Attempt int
	// Fence rises with every claim of the execution. See FenceGuard.
	Fence int64
	DueAt time.Time
	// Key is the key of the run; empty if it has none.
	Key string
	// Target is the index of the target; -1 if the job has only one.
	Target int
	// Body as it arrived; empty if the job has no payload.
	Body []byte

	headersSigned   bool
	callback, token string
}

// HeadersSigned says whether all fields are proven. Else only ID and Body are.
func (d *Delivery) HeadersSigned() bool { return d.headersSigned }

// Decode reads the payload into out. Without payload, it leaves out as it is.
func (d *Delivery) Decode(out any) error {
	if len(d.Body) == 0 {
		return nil
	}
	return json.Unmarshal(d.Body, out)
}

const maxBody = 1 << 20 // payloads have at most 64 KB

var errTooLarge = fmt.Errorf("a delivery has at most %d bytes", maxBody)

// Verify checks the delivery that a request brings, and reads its headers: both signatures in constant time,
// the age, and that no header of Quarterjack is given twice. The body of the request can be read again
// afterwards. It fails with a SignatureError if the delivery is not genuine, and with an ArgumentError for a
// malformed secret.
func Verify(r *http.Request, secret string) (*Delivery, error) {
	return VerifyOptions{Secret: secret}.Verify(r)
}

// Verify is as the function of this name.
func (o VerifyOptions) Verify(r *http.Request) (*Delivery, error) {
	var body []byte
	if r.Body != nil {
		defer r.Body.Close()
		var err error
		if body, err = io.ReadAll(io.LimitReader(r.Body, maxBody+1)); err != nil {
			return nil, fmt.Errorf("the body of the delivery cannot be read: %w", err)
		}
		if len(body) > maxBody {
			_, _ = io.CopyN(io.Discard, r.Body, 8*maxBody) // a caller that still writes reads no answer
			return nil, errTooLarge
		}
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return o.VerifyParts(r.Header, body)
}

// VerifyParts checks a delivery of which headers and body are given: the body byte for byte.
func (o VerifyOptions) VerifyParts(header http.Header, body []byte) (*Delivery, error) {
	keys, err := keysOf(first(o.Secret, os.Getenv("QUARTERJACK_SECRET")))
	if err != nil {
		return nil, err
	}
	headers, err := ownHeaders(header)
	if err != nil {
		return nil, err
	}
	id, timestamp := headers["webhook-id"], headers["webhook-timestamp"]
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		if headers[name] == "" {
			return nil, &SignatureError{"the delivery has no header " + name}
		}
	}
	if err := o.checkAge(timestamp); err != nil {
		return nil, err
	}
	signedBody := append([]byte(id+"."+timestamp+"."), body...)
	byBody, err := signers(keys, signedBody, "webhook-signature", headers)
	if err != nil {
		return nil, err
	}
	headerKeys := make([][]byte, len(keys))
	for i, key := range keys {
		headerKeys[i] = mac(key, []byte("quarterjack-headers/1"))
	}
	var byHeaders []bool
	if !o.Legacy || headers["quarterjack-signature"] != "" {
		if byHeaders, err = signers(headerKeys, signedHeaders(headers), "quarterjack-signature",
			headers); err != nil {
			return nil, err
		}
	}
	isSigned, isProven := false, false
	for i := range keys {
		isSigned = isSigned || byBody[i]
		isProven = isProven || byBody[i] && byHeaders != nil &&
			byHeaders[i] // by one secret: two may belong to two parties
	}
	if !isSigned {
		return nil, &SignatureError{"no signature of the delivery matches the secret"}
	}
	if !isProven && !o.Legacy {
		return nil, &SignatureError{"no signature of the quarterjack-… headers matches the secret; " +
			"a legacy secret needs Legacy"}
	}
	return deliveryOf(headers, body, isProven)
}

func deliveryOf(headers map[string]string, body []byte, isProven bool) (*Delivery, error) {
	d := &Delivery{ID: headers["webhook-id"], JobID: headers["quarterjack-job"],
		ExecID: headers["quarterjack-execution"], Key: DecodedKey(headers["quarterjack-key"]),
		Target: -1, Body: body, headersSigned: isProven}
	if headers["quarterjack-callback"] != "" && headers["quarterjack-token"] != "" {
		d.callback, d.token = headers["quarterjack-callback"], headers["quarterjack-token"]
	}
	if d.JobID == "" || d.ExecID == "" {
		return nil, &SignatureError{"the delivery has no header quarterjack-job or quarterjack-execution"}
	}
	attempt, err := number(headers, "quarterjack-attempt", 1)
	if err != nil {
		return nil, err
	}
	if d.Fence, err = number(headers, "quarterjack-fence", 1); err != nil {
		return nil, err
	}
	if _, ok := headers["quarterjack-target"]; ok {
		target, err := number(headers, "quarterjack-target", 0)
		if err != nil {
			return nil, err
		}
		d.Target = int(target)
	}
	if d.DueAt, err = time.Parse(time.RFC3339, headers["quarterjack-due"]); err != nil {
		return nil, &SignatureError{fmt.Sprintf("quarterjack-due is %q; expected a time",
			headers["quarterjack-due"])}
	}
	d.Attempt = int(attempt)
	return d, nil
}

// DecodedKey is the key of a run as a header, or the client context of a function, has it. Only what is
// signed can be encoded in another way: then it is kept as it is.
func DecodedKey(text string) string {
	if key, err := url.PathUnescape(text); err == nil && utf8.ValidString(key) {
		return key
	}
	return text
}

func (o VerifyOptions) checkAge(timestamp string) error {
	tolerance, now := o.Tolerance, time.Now
	if tolerance <= 0 {
		tolerance = 5 * time.Minute
	}
	if o.Now != nil {
		now = o.Now
	}
	seconds, err := strconv.ParseUint(timestamp, 10, 63)
	if err != nil || len(timestamp) > 12 {
		return &SignatureError{fmt.Sprintf("webhook-timestamp is %q; expected seconds since 1970", timestamp)}
	}
	age := now().Sub(time.Unix(int64(seconds), 0))
	if age > tolerance || age < -tolerance {
		return &SignatureError{fmt.Sprintf("webhook-timestamp is %s from now; at most %s is allowed",
			age.Round(time.Second), tolerance)}
	}
	return nil
}

// ownHeaders returns the webhook-… and quarterjack-… headers, names in lower case.
func ownHeaders(header http.Header) (map[string]string, error) {
	own := map[string]string{}
	for given, values := range header {
		name := strings.ToLower(given)
		if !strings.HasPrefix(name, "webhook-") && !strings.HasPrefix(name, "quarterjack-") ||
			len(values) == 0 {
			continue
		}
		if _, twice := own[name]; twice || len(values) != 1 {
			return nil, &SignatureError{name + " is given twice"}
		}
		// A line break would make one header look like two in the text that is signed.
		if strings.ContainsAny(name, ":\r\n") || strings.IndexFunc(values[0], isControl) >= 0 {
			return nil, &SignatureError{fmt.Sprintf("%q is not the text of a header", name)}
		}
		own[name] = values[0]
	}
	return own, nil
}

func isControl(r rune) bool { return r < 0x20 || r == 0x7f }

func signedHeaders(headers map[string]string) []byte {
	var names []string
	for name := range headers {
		if strings.HasPrefix(name, "quarterjack-") && name != "quarterjack-signature" {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	text := "v1\n" + headers["webhook-id"] + "\n" + headers["webhook-timestamp"] + "\n"
	for _, name := range names {
		text += name + ":" + headers[name] + "\n"
	}
	return []byte(text)
}

// number is a header that is a whole number from min.
func number(headers map[string]string, name string, min int64) (int64, error) {
	value, err := strconv.ParseInt(headers[name], 10, 64)
	if err != nil || value < min || value > 1<<53-1 || headers[name][0] < '0' {
		return 0, &SignatureError{fmt.Sprintf("%s is %q; expected a whole number from %d", name,
			headers[name], min)}
	}
	return value, nil
}
