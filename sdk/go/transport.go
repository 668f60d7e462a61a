package quarterjack

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/quarterjack/quarterjack/sdk/go/internal/cause"
)

// request is one call of the API, for all of its tries.
type request struct {
	method, path   string
	query          url.Values
	body           any
	note, ifMatch  string
	idempotencyKey string
	repeatable     bool
	invalid        error
}

// response is a successful one, with its whole body.
type response struct {
	status int
	url    string
	header http.Header
	body   []byte
	tries  int
}

// to makes a request. Each {} of the path stands for one of the ids.
func to(method, path string, ids ...string) request {
	r := request{method: method, query: url.Values{}, repeatable: true}
	for _, id := range ids {
		if id == "" || id == "." || id == ".." {
			r.invalid = &ArgumentError{"id", id, "the id of something, which is part of a path"}
		}
		path = strings.Replace(path, "{}", escape(id), 1)
	}
	r.path = path
	return r
}

func read(path string, ids ...string) request { return to(http.MethodGet, path, ids...) }

// escape leaves nothing of a text that has a meaning in a path or a header.
func escape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }

// with adds the parameters of a filter.
func (r request) with(filter any) request {
	r.query = queryOf(filter)
	return r
}

// creating makes a request whose repeat the API recognises by its key.
func creating(body any, path string, ids ...string) request {
	r := to(http.MethodPost, path, ids...)
	r.body, r.idempotencyKey = body, NewKey()
	return r
}

// changing makes a request that is equal when it is repeated.
func changing(method string, body any, path string, ids ...string) request {
	r := to(method, path, ids...)
	r.body = body
	return r
}

// once makes a request that must not be repeated unless nothing was done.
func once(body any, path string, ids ...string) request {
	r := changing(http.MethodPost, body, path, ids...)
	r.repeatable = false
	return r
}

// fill needs randomness of the machine: without it, nothing can be created safely.
func fill(b []byte) {
	if _, err := rand.Read(b); err != nil {
		panic(err)
	}
}

// random is a number from 0 up to, but not including, 1.
func random() float64 {
	var b [8]byte
	fill(b[:])
	return float64(binary.BigEndian.Uint64(b[:])>>11) / (1 << 53)
}

// NewKey is a random UUID, for IdempotencyKey.
func NewKey() string {
	var b [16]byte
	fill(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// send tries a request until it succeeds, or may not be tried again. It tries any request again after 429,
// since the API did nothing then; a repeatable one also after 5xx, and if no response came. Pauses are
// Retry-After plus full jitter.
func (c *Client) send(ctx context.Context, r request, options []CallOption) (*response, error) {
	for _, option := range options {
		option(&r)
	}
	if r.invalid != nil {
		return nil, r.invalid
	}
	var body []byte
	if r.body != nil {
		var err error
		if body, err = json.Marshal(r.body); err != nil {
			return nil, &ArgumentError{"body", err.Error(), "what has JSON"}
		}
	}
	for tries := 1; ; tries++ {
		result, err := c.try(ctx, &r, body)
		last := tries >= c.options.Retry.MaxTries
		var lost *ConnectionError
		switch {
		case errors.As(err, &lost):
			if last || !r.repeatable {
				return nil, err
			}
		case err != nil:
			return nil, err
		case result.status >= 200 && result.status < 300:
			result.tries = tries
			return result, nil
		case result.status >= 300 && result.status < 400:
			return nil, result.fault("is a redirect")
		case result.status == http.StatusNotFound && r.method == http.MethodDelete && tries > 1:
			return result, nil // an earlier try deleted it, and its response was lost
		case last || !(result.status == 429 || r.repeatable && result.status >= 500):
			return nil, problemOf(result.status, result.header, result.body)
		}
		if err := sleep(ctx, c.pause(result, tries)); err != nil {
			return nil, err
		}
	}
}

func (c *Client) try(ctx context.Context, r *request, body []byte) (*response, error) {
	address := c.options.URL + r.path
	if len(r.query) > 0 {
		separator := "?"
		if strings.Contains(address, "?") {
			separator = "&"
		}
		address += separator + r.query.Encode()
	}
	within, cancel := context.WithTimeout(ctx, c.options.Retry.Timeout)
	defer cancel()
	sent, err := http.NewRequestWithContext(within, r.method, address, bytes.NewReader(body))
	if err != nil {
		return nil, &ArgumentError{"path", r.path, "one such as /v1/jobs/report"}
	}
	if err := c.addHeaders(within, sent, r, body != nil); err != nil {
		return nil, err
	}
	received, err := c.http.Do(sent)
	var content []byte
	if err == nil {
		defer received.Body.Close()
		content, err = io.ReadAll(received.Body)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if within.Err() != nil {
			err = fmt.Errorf("no response within %s: %w", c.options.Retry.Timeout, within.Err())
		}
		return nil, &ConnectionError{r.method, c.options.URL + r.path, err}
	}
	return &response{status: received.StatusCode, url: c.options.URL + r.path, header: received.Header,
		body: content}, nil
}

func (c *Client) addHeaders(ctx context.Context, sent *http.Request, r *request, hasBody bool) error {
	set := func(name, value string) {
		if value != "" {
			sent.Header.Set(name, value)
		}
	}
	cause.Add(ctx, sent.Header)
	set("Accept", "application/json")
	set("User-Agent", "quarterjack-go")
	if hasBody {
		set("Content-Type", "application/json")
	}
	set("Quarterjack-Project", c.options.Project)
	if r.method != http.MethodGet {
		set("Quarterjack-Note", escape(first(r.note, c.options.Note)))
	}
	set("If-Match", r.ifMatch)
	set("Idempotency-Key", r.idempotencyKey)
	if c.options.TokenSource == nil {
		return nil
	}
	token, err := c.options.TokenSource(ctx)
	if err != nil {
		return err
	}
	set("Authorization", "Bearer "+token)
	return nil
}

func (c *Client) pause(last *response, tries int) time.Duration {
	retry := c.options.Retry
	longest := math.Min(float64(retry.MaxDelay), float64(retry.BaseDelay)*math.Pow(2, float64(tries-1)))
	pause := time.Duration(random() * longest)
	if last != nil {
		pause += retryAfter(last.header.Get("Retry-After"), time.Now())
	}
	if pause > retry.MaxDelay {
		return retry.MaxDelay
	}
	return pause
}

// retryAfter reads a number of seconds or an HTTP date; 0 for anything else.
func retryAfter(text string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}

// sleep ends early with the error of a context that ends.
func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
