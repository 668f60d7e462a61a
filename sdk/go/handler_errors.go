package quarterjack

import (
	"errors"
	"fmt"
	"time"
)

// ErrRelease is what a handler of a worker returns, or wraps, before it has begun: the work goes back to its
// queue, and that costs no attempt.
var ErrRelease = errors.New("the work is released")

// FatalError is a failure that no further attempt can change.
type FatalError struct {
	Err error
	// Reason is empty, "bad-payload" or "unknown-job": if the execution fails by it, it ends with this reason.
	Reason string
}

func (e *FatalError) Error() string { return e.Err.Error() }
func (e *FatalError) Unwrap() error { return e.Err }

// Fatal makes a FatalError of what is formatted as by fmt.Errorf.
func Fatal(format string, args ...any) error { return &FatalError{Err: fmt.Errorf(format, args...)} }

// RetryAfterError is a failure that may be retried, but not before the delay is over.
type RetryAfterError struct {
	Delay time.Duration
	Err   error
	// Reason is as that of a FatalError.
	Reason string
}

func (e *RetryAfterError) Error() string { return e.Err.Error() }
func (e *RetryAfterError) Unwrap() error { return e.Err }

// RetryAfter makes a RetryAfterError. The delay is at most 6 hours; a longer one counts as that. A nil error
// says the delay.
func RetryAfter(delay time.Duration, err error) error {
	if delay > 6*time.Hour {
		delay = 6 * time.Hour
	} else if delay < 0 {
		delay = 0
	}
	if err == nil {
		err = fmt.Errorf("try again after %s", delay)
	}
	return &RetryAfterError{Delay: delay, Err: err}
}
