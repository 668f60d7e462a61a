// Package worker runs the executions that wait in a work queue of Quarterjack. A worker claims them, runs a
// handler for each, keeps their leases by heartbeats, and reports the outcome. It opens no port.
//
//	w, err := worker.New(worker.Options{Queue: "warehouse", Concurrency: 4})
//	if err != nil {
//		log.Fatal(err)
//	}
//	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
//	defer stop()
//	err = w.Run(ctx, func(ctx context.Context, work *worker.Work) (any, error) {
//		work.Logf("loading %s", work.Payload)
//		return load(ctx, work.Payload, work.Fence)
//	})
package worker

import (
	"context"
	"fmt"
	"log"
	"math/rand"
	"sync"
	"time"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
)

// Options of a worker. The token is an API key with the role worker, or any with the scope work.
type Options struct {
	quarterjack.Options
	// Queue is the work queue that jobs name.
	Queue string
	// Concurrency is how many executions may run at a time, 1 to 100. Default 1.
	Concurrency int
	// Name of this worker, at most 64 characters. It stands on the attempts that it claims.
	Name string
	// Grace is how long a handler needs to stop once its context ends, up to 20 minutes. Default 5 s.
	Grace time.Duration
	// Poll asks for work at this distance, 1 s to 1 h, instead of waiting at the API: cheaper, and later.
	Poll time.Duration
	// OnEvent is told what happens, one event after the other. Default: what fails is written by package log.
	OnEvent func(Event)
}

// EventType says what has happened.
type EventType string

// What happens in a worker.
const (
	Started EventType = "started"
	Ended   EventType = "ended"
	// ClaimFailed: the worker tries again after RetryIn.
	ClaimFailed EventType = "claim-failed"
	// LogFailed: the rest of the log of this attempt is not kept.
	LogFailed EventType = "log-failed"
)

// Outcome says how the worker has left an execution.
type Outcome string

// How an execution is left.
const (
	Succeeded Outcome = "succeeded"
	Failed    Outcome = "failed"
	Released  Outcome = "released"
	// WasLost: the lease was lost, and another worker takes over.
	WasLost Outcome = "lost"
	// Unreported: the outcome could not be reported while the lease lasted. Another worker takes over.
	Unreported Outcome = "unreported"
)

// Event is what a worker tells while it runs.
type Event struct {
	Type EventType
	// Work is nil for ClaimFailed.
	Work *Work
	// Outcome, Stopped, Duration and DroppedLogLines are of Ended. Stopped says why the handler was asked to stop.
	Outcome         Outcome
	Stopped         StopReason
	Duration        time.Duration
	DroppedLogLines int
	// Err is the handler's error, or what has failed.
	Err error
	// Retriable says of a failure whether another attempt may follow.
	Retriable bool
	RetryIn   time.Duration
}

// Worker claims executions of one work queue.
type Worker struct {
	options  Options
	claims   *claims
	stopping context.Context
	stop     context.CancelFunc
	ended    chan *run
	running  map[*run]bool
	failures int
	random   *rand.Rand
	telling  sync.Mutex
}

// New fails with an ArgumentError for options that are out of range.
func New(o Options) (*Worker, error) {
	if o.Concurrency == 0 {
		o.Concurrency = 1
	}
	if o.Grace == 0 {
		o.Grace = 5 * time.Second
	}
	for _, check := range []struct {
		ok                  bool
		name, value, expect string
	}{
		{o.Queue != "", "Queue", "", "the name of a work queue"},
		{o.Concurrency >= 1 && o.Concurrency <= 100, "Concurrency", fmt.Sprint(o.Concurrency), "1 to 100"},
		{o.Grace > 0 && o.Grace <= 20*time.Minute, "Grace", o.Grace.String(), "0 to 20m"},
		{o.Poll == 0 || o.Poll >= time.Second && o.Poll <= time.Hour, "Poll", o.Poll.String(), "1s to 1h"},
	} {
		if !check.ok {
			return nil, &quarterjack.ArgumentError{Argument: check.name, Value: check.value,
				Expected: check.expect}
		}
	}
	client, err := quarterjack.New(o.Options)
	if err != nil {
		return nil, err
	}
	o.URL = client.URL()
	w := &Worker{options: o, claims: &claims{api: client, queue: o.Queue, worker: o.Name},
		running: map[*run]bool{}, ended: make(chan *run, o.Concurrency),
		random: rand.New(rand.NewSource(time.Now().UnixNano()))}
	w.stopping, w.stop = context.WithCancel(context.Background())
	return w, nil
}

// Run works until ctx ends, then drains: it claims nothing more, and waits for what runs, whose contexts go
// on. A claim under way may take 20 s; its work is released. It fails if the API does not let the worker
// claim, once what runs has ended. A worker runs once.
func (w *Worker) Run(ctx context.Context, handle Handler) error { return w.loop(ctx, handle, false) }

// WorkOff works until nothing is due any more.
func (w *Worker) WorkOff(ctx context.Context, handle Handler) error { return w.loop(ctx, handle, true) }

// Stop drains, and also asks what runs to stop: it is reported as a failure that may be retried. Run returns
// once it has ended.
func (w *Worker) Stop() { w.stop() }

func (w *Worker) loop(given context.Context, handle Handler, untilEmpty bool) error {
	ctx, cancel := context.WithCancel(given)
	defer cancel()
	finished := make(chan struct{})
	defer close(finished)
	go func() {
		select {
		case <-w.stopping.Done():
			cancel()
		case <-finished:
		}
	}()
	var err error
	for ctx.Err() == nil && err == nil {
		free := w.options.Concurrency - len(w.running)
		if free <= 0 {
			w.awaitOne(ctx)
			continue
		}
		var isEmpty bool
		isEmpty, err = w.claim(ctx, handle, free, untilEmpty)
		if isEmpty && untilEmpty {
			break
		}
		w.collect()
	}
	for len(w.running) > 0 {
		w.awaitOne(context.Background())
	}
	return err
}

// awaitOne waits for the end of one run, or of the context.
func (w *Worker) awaitOne(ctx context.Context) {
	stopping := w.stopping.Done()
	for {
		select {
		case one := <-w.ended:
			delete(w.running, one)
			return
		case <-stopping:
			for one := range w.running {
				one.work.lease.stop(Stopped)
			}
			stopping = nil
		case <-ctx.Done():
			return
		}
	}
}

func (w *Worker) collect() {
	for {
		select {
		case one := <-w.ended:
			delete(w.running, one)
		default:
			return
		}
	}
}

func (w *Worker) claim(ctx context.Context, handle Handler, free int, untilEmpty bool) (isEmpty bool,
	err error) {
	if free > maxClaimed {
		free = maxClaimed
	}
	wait := claimWait
	if untilEmpty || w.options.Poll > 0 {
		wait = "0s"
	}
	sentAt := time.Now()
	answer, err := w.claims.next(w.stopping, free, wait)
	if err != nil {
		if w.stopping.Err() != nil {
			return false, nil
		}
		if isFatal(err) {
			return false, err
		}
		w.afterFailure(ctx, err)
		return false, nil
	}
	w.failures = 0
	for _, work := range answer.work {
		if err := w.begin(ctx, work, answer, handle); err != nil {
			return false, err
		}
	}
	if len(answer.work) > 0 {
		return false, nil
	}
	if untilEmpty && answer.retryAfter == nil {
		return true, nil
	}
	pause(ctx, w.pauseAfter(answer, time.Since(sentAt)))
	return false, nil
}

// pauseAfter is that before the next claim, after an empty answer.
func (w *Worker) pauseAfter(answer *claimAnswer, waited time.Duration) time.Duration {
	jitter := 1 + w.random.Float64()/2
	switch {
	case answer.retryAfter != nil:
		return time.Duration(float64(most(*answer.retryAfter, w.options.Poll)) * jitter)
	case w.options.Poll > 0:
		return w.options.Poll
	case waited < shortPause:
		return time.Duration(float64(shortPause) * jitter)
	}
	return 0
}

func (w *Worker) afterFailure(ctx context.Context, err error) {
	longest := least(longestRetry, firstRetry<<least(10, time.Duration(w.failures)))
	w.failures++
	retryIn := time.Duration(float64(longest) * (0.5 + w.random.Float64()/2))
	w.tell(Event{Type: ClaimFailed, Err: err, RetryIn: retryIn})
	pause(ctx, retryIn)
}

func (w *Worker) begin(ctx context.Context, work *Work, answer *claimAnswer, handle Handler) error {
	one, err := w.newRun(ctx, work, answer)
	if err != nil {
		return err
	}
	w.running[one] = true
	go func() {
		defer func() { w.ended <- one }()
		if ctx.Err() != nil {
			one.release()
			return
		}
		one.do(handle)
	}()
	return nil
}

func (w *Worker) tell(event Event) {
	w.telling.Lock()
	defer w.telling.Unlock()
	switch {
	case w.options.OnEvent != nil:
		w.options.OnEvent(event)
	case event.Type == ClaimFailed:
		log.Printf("quarterjack: no work could be claimed, next try in %s: %v", event.RetryIn, event.Err)
	case event.Type == LogFailed:
		log.Printf("quarterjack: %s/%s: its log is not kept: %v", event.Work.JobID, event.Work.ExecID,
			event.Err)
	case event.Type == Ended && event.Err != nil:
		log.Printf("quarterjack: %s/%s has %s: %v", event.Work.JobID, event.Work.ExecID, event.Outcome,
			event.Err)
	}
}
