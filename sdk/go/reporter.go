package quarterjack

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/quarterjack/quarterjack/sdk/go/internal/duration"
	"github.com/quarterjack/quarterjack/sdk/go/internal/progress"
)

// CallbackError says that a delivery wants its reports at an address that is not the API's. Do nothing, and
// answer 401.
type CallbackError struct{ Callback string }

func (e *CallbackError) Error() string {
	return fmt.Sprintf("the callback %q is not at the API", e.Callback)
}

// Reporter reports on an attempt that its target has answered with 202 (mode async). That of a target with
// observe may send heartbeats and lines alone. Its calls fail with a ConflictError if the attempt has ended, or
// a later one has replaced it: stop working on it then.
type Reporter struct {
	client *Client
	path   string
}

// Reporter is nil if the target of the delivery is neither async nor observed. options say where the API is: reports go to
// that origin alone, else it fails with a CallbackError. The token of the options is not used.
func (d *Delivery) Reporter(options Options) (*Reporter, error) {
	if d.callback == "" {
		return nil, nil
	}
	return NewReporter(d.callback, d.token, options)
}

// Callback is where the API takes reports on the attempt; empty if it takes none.
func (d *Delivery) Callback() string { return d.callback }

// NewReporter makes a Reporter of callback and token, as the client context of a function has them. See
// Delivery.Reporter.
func NewReporter(callbackURL, token string, options Options) (*Reporter, error) {
	given, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	own, err := url.Parse(given.URL)
	if err != nil {
		return nil, err
	}
	callback, err := url.Parse(callbackURL)
	if err != nil || callback.Scheme != own.Scheme || callback.Host != own.Host || callback.User != nil {
		return nil, &CallbackError{callbackURL}
	}
	path := strings.TrimRight(callback.Path, "/")
	client, err := New(Options{URL: callback.Scheme + "://" + callback.Host, Token: token,
		Retry: options.Retry, HTTPClient: options.HTTPClient})
	return &Reporter{client, path}, err
}

// Heartbeat reports that the work is still running. Call it more often than once in each heartbeatTimeout. It
// says whether cancellation was requested: then stop working, and call Fail.
func (r *Reporter) Heartbeat(ctx context.Context) (cancelRequested bool, err error) {
	return r.beat(ctx, Nothing{})
}

// Progress is a Heartbeat that also says how far the work is, from 0 to 1, and what is done now, in at most
// 200 characters.
func (r *Reporter) Progress(ctx context.Context, share float64, text string) (cancelRequested bool, err error) {
	share, text = progress.Of(share, text)
	return r.beat(ctx, Heartbeat{Progress: &share, Text: text})
}

func (r *Reporter) beat(ctx context.Context, body any) (cancelRequested bool, err error) {
	answer, err := fetch[Report](ctx, r.client, changing(http.MethodPost, body, r.path+"/heartbeat"),
		nil, "status")
	return err == nil && answer.CancelRequested != nil && *answer.CancelRequested, err
}

// AppendLog appends a chunk of lines to the log of the attempt: an object with its number and its lines, as
// the API has them. truncated: the log keeps nothing more.
func (r *Reporter) AppendLog(ctx context.Context, chunk any) (truncated bool, err error) {
	answer, err := fetch[LogReceipt](ctx, r.client, changing(http.MethodPost, chunk, r.path+"/log"), nil)
	return err == nil && answer.Truncated, err
}

// Complete reports success. The API keeps the beginning of the result, which may be nil.
func (r *Reporter) Complete(ctx context.Context, result any) error {
	_, err := fetch[Report](ctx, r.client, changing(http.MethodPost, CompletedAttempt{Result: result},
		r.path+"/complete"), nil)
	return err
}

// Fail reports a failure. A FatalError is not retried, and a RetryAfterError not before its delay is over.
func (r *Reporter) Fail(ctx context.Context, failure error) error {
	var fatal *FatalError
	var later *RetryAfterError
	body := FailedAttempt{Error: shorten(first(failure.Error(), "the work failed without a message"), 2_000)}
	body.Retriable = Ptr(!errors.As(failure, &fatal))
	if fatal != nil {
		body.Reason = fatal.Reason
	}
	if errors.As(failure, &later) {
		body.RetryAfter = duration.Text(later.Delay)
		body.Reason = first(body.Reason, later.Reason)
	}
	_, err := fetch[Report](ctx, r.client, changing(http.MethodPost, body, r.path+"/fail"), nil)
	return err
}

// Run runs work while it sends a heartbeat at each interval, then reports the outcome. Keep the interval well
// below the target's heartbeatTimeout. The context of the work ends if the execution is cancelled, a later
// attempt replaces this one, or a heartbeat fails after its retries.
func (r *Reporter) Run(ctx context.Context, every time.Duration, work func(context.Context) (any,
	error)) error {
	working, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		var err error
		for err == nil && sleep(working, every) == nil {
			var cancelRequested bool
			if cancelRequested, err = r.Heartbeat(working); cancelRequested {
				break
			}
		}
		stop()
		ended <- err
	}()
	result, failure := work(working)
	stop()
	beat := <-ended
	var conflict *ConflictError
	switch {
	case failure == nil:
		return r.Complete(ctx, result)
	case errors.As(beat, &conflict) || errors.As(failure, &conflict):
		return failure // the API takes no more reports of this attempt
	}
	if err := r.Fail(ctx, failure); err != nil {
		return err
	}
	return failure
}
