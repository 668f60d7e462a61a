package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"strings"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
	"github.com/quarterjack/quarterjack/sdk/go/internal/cause"
	"github.com/quarterjack/quarterjack/sdk/go/internal/duration"
	"github.com/quarterjack/quarterjack/sdk/go/internal/progress"
)

// Work is one claimed execution, or a task of a run.
type Work struct {
	// Work has what the API says. Token authorizes the reports of this attempt: never log it. Fence rises with
	// each claim of the execution: write it with what you change, and refuse an older one there.
	quarterjack.Work

	lease   *lease
	log     *logSender
	writers []*lineWriter
}

// Decode reads the payload into out. A payload that does not fit is a FatalError. Without payload, out stays
// as it is.
func (w *Work) Decode(out any) error {
	if len(w.Payload) == 0 {
		return nil
	}
	if err := json.Unmarshal(w.Payload, out); err != nil {
		return &quarterjack.FatalError{Err: fmt.Errorf("the payload is invalid: %w", err), Reason: "bad-payload"}
	}
	return nil
}

// Logf appends a line to the log of the attempt. It never waits, and never fails.
func (w *Work) Logf(format string, args ...any) { w.Log(Stdout, fmt.Sprintf(format, args...)) }

// Log appends a line to a stream of the log of the attempt. It never waits, and never fails.
func (w *Work) Log(stream Stream, line string) { w.log.write(strings.TrimSuffix(line, "\n"), stream) }

// LogWriter makes lines of the log of what is written, for a command or a log.Logger.
func (w *Work) LogWriter(stream Stream) io.Writer {
	writer := &lineWriter{write: func(line string) { w.log.write(line, stream) }}
	w.lease.lock.Lock()
	defer w.lease.lock.Unlock()
	w.writers = append(w.writers, writer)
	return writer
}

// IsLogFull says whether the log takes no more lines.
func (w *Work) IsLogFull() bool { return w.log.isFull() }

// Progress says how far the work is, from 0 to 1, and what is done now, in at most 200 characters: the
// execution shows it. It never waits: it goes with a heartbeat, every 5 s at most.
func (w *Work) Progress(share float64, text string) {
	share, text = progress.Of(share, text)
	w.lease.say(&quarterjack.Heartbeat{Progress: &share, Text: text})
}

// Heartbeat sends a heartbeat now, and waits for it. The worker also sends them by itself.
func (w *Work) Heartbeat() { <-w.lease.beat() }

// StopReason says why the context of the handler has ended; empty if it has not.
func (w *Work) StopReason() StopReason { return w.lease.stopReason() }

// Handler does the work. Its result is reported. An error is a failure that may be retried, unless it is a
// FatalError; see also RetryAfter and ErrRelease of package quarterjack. The context ends when the work has
// to stop. The handler then has the grace to return: after that another worker may begin.
type Handler func(ctx context.Context, work *Work) (result any, err error)

// Typed makes a Handler of a function that gets the payload in its own type. What does not fit is fatal.
func Typed[Payload, Result any](handle func(context.Context, *Work, Payload) (Result, error)) Handler {
	return func(ctx context.Context, work *Work) (any, error) {
		var payload Payload
		if err := work.Decode(&payload); err != nil {
			return nil, err
		}
		return handle(ctx, work, payload)
	}
}

// handled runs the handler. A panic is a failure that may be retried; the log has its stack.
func (w *Work) handled(handle Handler) (result any, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			w.Log(Stderr, fmt.Sprintf("panic: %v\n%s", fault, debug.Stack()))
			result, err = nil, fmt.Errorf("panic: %v", fault)
		}
	}()
	defer func() {
		w.lease.lock.Lock()
		writers := w.writers
		w.lease.lock.Unlock()
		for _, writer := range writers {
			writer.flush()
		}
	}()
	return handle(cause.Of(w.lease.work, w.header), w)
}

// header is what a delivery by HTTP would have as a header.
func (w *Work) header(name string) string {
	switch name {
	case "Traceparent":
		return w.Traceparent
	case "Tracestate":
		return w.Tracestate
	}
	if w.DeliveryDepth > 0 {
		return strconv.Itoa(w.DeliveryDepth)
	}
	return ""
}

// report is what to tell about an attempt: complete, fail, release, or nothing. Then the lease lapses, and
// another worker takes over: that is no failure against the job's retry.
type report struct {
	what       string
	Result     json.RawMessage `json:"result,omitempty"`
	Error      string          `json:"error,omitempty"`
	Retriable  *bool           `json:"retriable,omitempty"`
	RetryAfter string          `json:"retryAfter,omitempty"`
	Reason     string          `json:"reason,omitempty"`
}

const maxError = 4_000

// reportOf: a result counts even if the handler was asked to stop. An error after the lease was lost is the
// stop itself.
func reportOf(result json.RawMessage, err error, stopped StopReason) report {
	var fatal *quarterjack.FatalError
	var later *quarterjack.RetryAfterError
	switch {
	case err == nil:
		return report{what: "complete", Result: result}
	case stopped == Lost:
		return report{what: "nothing"}
	case errors.Is(err, quarterjack.ErrRelease):
		return report{what: "release"}
	}
	text := err.Error()
	if text == "" {
		text = "the handler failed without a message"
	}
	if len(text) > maxError {
		text = strings.ToValidUTF8(text[:maxError], "")
	}
	retriable := !errors.As(err, &fatal)
	failed := report{what: "fail", Error: text, Retriable: &retriable}
	if !retriable {
		failed.Reason = fatal.Reason
	} else if errors.As(err, &later) {
		failed.RetryAfter, failed.Reason = duration.Text(later.Delay), later.Reason
	}
	return failed
}

// jsonOf leaves out a result that has no JSON, and says so in the log.
func (w *Work) jsonOf(result any) json.RawMessage {
	if result == nil {
		return nil
	}
	text, err := json.Marshal(result)
	if err != nil {
		w.Log(Stderr, "the result has no JSON, and is not kept: "+err.Error())
	}
	return text
}

// isTemporary: after these, the same report is sent again.
func isTemporary(err error) bool {
	var lost *quarterjack.ConnectionError
	var limited *quarterjack.RateLimitError
	var failed *quarterjack.ServerError
	return errors.As(err, &lost) || errors.As(err, &limited) || errors.As(err, &failed)
}
