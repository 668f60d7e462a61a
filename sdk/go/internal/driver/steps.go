package main

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
	"github.com/quarterjack/quarterjack/sdk/go/internal/duration"
)

// step is what a handler does next. A field without a value is not there.
type step struct {
	Log, Stream, Emit, Gate, UntilStopped, Throw, Fatal, RetryAfter, Release, Message *string
	Return                                                                            *json.RawMessage
	Heartbeat, Echo                                                                   bool
	Progress                                                                          *float64
	Text                                                                              string
}

// handler is what each kind of handler has.
type handler struct {
	jobID, execID  string
	attempt, fence int
	dueAt          time.Time
	key            string
	payload        json.RawMessage
	log            func(isError bool, line string)
	heartbeat      func()
	progress       func(share float64, text string)
	stopReason     func() string
}

var gates sync.Map

func gateOf(name string) chan struct{} {
	gate, _ := gates.LoadOrStore(name, make(chan struct{}))
	return gate.(chan struct{})
}

func openGate(line json.RawMessage) (any, error) {
	close(gateOf(read[struct{ Gate string }](line).Gate))
	return nil, nil
}

const instant = "2006-01-02T15:04:05.000Z"

// play plays the steps of a handler.
func play(ctx context.Context, steps []step, h handler) (any, error) {
	for _, one := range steps {
		switch {
		case one.Return != nil:
			return *one.Return, nil
		case one.Echo && len(h.payload) > 0:
			return h.payload, nil
		case one.Echo:
			return nil, nil
		}
		if err := act(ctx, one, h); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func act(ctx context.Context, s step, h handler) error {
	switch {
	case s.Log != nil:
		h.log(s.Stream != nil && *s.Stream == "stderr", *s.Log)
	case s.Emit != nil:
		told := object{"event": "step", "name": *s.Emit, "jobId": h.jobID, "execId": h.execID, "attempt": h.attempt,
			"fence": h.fence, "dueAt": h.dueAt.UTC().Format(instant), "payload": h.payload}
		if h.key != "" {
			told["key"] = h.key
		}
		write(told)
	case s.Gate != nil:
		<-gateOf(*s.Gate)
	case s.Heartbeat:
		h.heartbeat()
	case s.Progress != nil:
		h.progress(*s.Progress, s.Text)
	case s.UntilStopped != nil:
		<-ctx.Done()
		write(object{"event": "stopping", "jobId": h.jobID, "execId": h.execID, "reason": h.stopReason()})
		if *s.UntilStopped == "throw" {
			return ctx.Err()
		}
	case s.Throw != nil:
		return errors.New(*s.Throw)
	case s.Fatal != nil:
		return quarterjack.Fatal("%s", *s.Fatal)
	case s.RetryAfter != nil && s.Message != nil:
		return quarterjack.RetryAfter(duration.Of(*s.RetryAfter), errors.New(*s.Message))
	case s.RetryAfter != nil:
		return quarterjack.RetryAfter(duration.Of(*s.RetryAfter), nil)
	case s.Release != nil:
		return quarterjack.ErrRelease
	}
	return nil
}
