package quarterjack

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"
)

// Options say how a client reaches the API.
type Options struct {
	// URL of the API, without /v1. Default: the environment variable QUARTERJACK_URL.
	URL string
	// Token is a JWT or an API key. Default: the environment variable QUARTERJACK_TOKEN.
	Token string
	// TokenSource takes the place of Token. It is called before each try, so it can renew the token, or read
	// a key from a vault. ClientCredentials makes one.
	TokenSource func(context.Context) (string, error)
	// Project to work in, for a token of several projects. Visible ASCII characters.
	Project string
	// Note says why this client makes its changes: at most 500 characters, kept with each of them.
	Note string
	// Retry has the defaults of DefaultRetry in the fields that are zero.
	Retry Retry
	// HTTPClient sends the requests. Redirects are never followed, so that the token goes to the API alone.
	HTTPClient *http.Client
}

// Retry says how often a request is tried, and for how long.
type Retry struct {
	// MaxTries in total, including the first. 1 means no retries.
	MaxTries int
	// BaseDelay is the longest pause before the second try. It doubles with each further try.
	BaseDelay time.Duration
	// MaxDelay bounds each pause, even if the API asks for more.
	MaxDelay time.Duration
	// Timeout of one try.
	Timeout time.Duration
}

// DefaultRetry is what holds where nothing else is said.
var DefaultRetry = Retry{
	MaxTries: 5, BaseDelay: 200 * time.Millisecond, MaxDelay: 30 * time.Second, Timeout: 30 * time.Second,
}

func (r Retry) withDefaults() Retry {
	if r.MaxTries <= 0 {
		r.MaxTries = DefaultRetry.MaxTries
	}
	if r.BaseDelay <= 0 {
		r.BaseDelay = DefaultRetry.BaseDelay
	}
	if r.MaxDelay <= 0 {
		r.MaxDelay = DefaultRetry.MaxDelay
	}
	if r.Timeout <= 0 {
		r.Timeout = DefaultRetry.Timeout
	}
	return r
}

var projectName = regexp.MustCompile(`^[\x21-\x7e]{1,512}$`)

func (o Options) withDefaults() (Options, error) {
	if o.URL == "" {
		o.URL = os.Getenv("QUARTERJACK_URL")
	}
	if o.Token == "" {
		o.Token = os.Getenv("QUARTERJACK_TOKEN")
	}
	if o.TokenSource == nil && o.Token != "" {
		token := o.Token
		o.TokenSource = func(context.Context) (string, error) { return token, nil }
	}
	base, err := url.Parse(o.URL)
	if err != nil || (base.Scheme != "http" && base.Scheme != "https") || base.Host == "" {
		return o, &ArgumentError{"URL", o.URL, "the URL of the API, such as https://host, or QUARTERJACK_URL"}
	}
	o.URL = strings.TrimRight(o.URL, "/")
	if o.Project != "" && !projectName.MatchString(o.Project) {
		return o, &ArgumentError{"Project", o.Project, "1 to 512 visible ASCII characters"}
	}
	o.Retry = o.Retry.withDefaults()
	return o, nil
}

// CallOption changes one call.
type CallOption func(*request)

// IdempotencyKey names a call that creates something: a key that comes again with its body gets its response
// again. The client makes one key for each call, so its own retries create nothing twice. Pass a key if your
// process may crash and repeat the call.
func IdempotencyKey(key string) CallOption {
	return func(r *request) { r.idempotencyKey, r.repeatable = key, true }
}

// Note says why: at most 500 characters, kept with the change. It takes the place of the client's note.
func Note(text string) CallOption { return func(r *request) { r.note = text } }

// IfMatch lets a change happen only if the job still has this ETag: else the call fails with a ConflictError.
// Such a call is not repeated: if the first try took effect unseen, the second would be rejected.
func IfMatch(etag string) CallOption {
	return func(r *request) { r.ifMatch, r.repeatable = etag, false }
}

// DryRun checks the request, and changes nothing. The result is what would be.
func DryRun() CallOption { return Query("dryRun", "true") }

// Force removes what is in use.
func Force() CallOption { return Query("force", "true") }

// Replace lets a batch replace the jobs that exist. Each job then needs its jobId.
func Replace() CallOption { return Query("replace", "true") }

// CreatedAt says which of several jobs that have had one jobId: createdAt of a change of that job.
func CreatedAt(instant string) CallOption { return Query("createdAt", instant) }

// Query adds a parameter to the URL of the call.
func Query(name, value string) CallOption {
	return func(r *request) { r.query.Add(name, value) }
}

// Repeatable says of a call of Client.Do that a repeat does no harm: then it is also repeated after 5xx, and
// if no response came. Reads are repeatable by themselves.
func Repeatable() CallOption { return func(r *request) { r.repeatable = true } }
