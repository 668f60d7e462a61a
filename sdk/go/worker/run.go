package worker

import (
	"context"
	"errors"
	"net/http"
	"time"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
	"github.com/quarterjack/quarterjack/sdk/go/internal/clock"
	"github.com/quarterjack/quarterjack/sdk/go/internal/duration"
)

const (
	// The log is sent before the outcome, so that a reader who follows it sees its end; but not at any price.
	logBeforeReport         = 10 * time.Second
	logAfterReport          = 30 * time.Second
	reportRetry             = 2 * time.Second
	defaultHeartbeatTimeout = time.Minute
)

// run is one attempt, from the answer of its claim to the report of its outcome.
type run struct {
	work      *Work
	worker    *Worker
	api       *quarterjack.Client
	startedAt clock.Moment
}

func (w *Worker) newRun(ctx context.Context, work *Work, answer *claimAnswer) (*run, error) {
	heartbeatTimeout := duration.Of(work.HeartbeatTimeout)
	if heartbeatTimeout == 0 {
		heartbeatTimeout = defaultHeartbeatTimeout
	}
	rules := rulesOf(heartbeatTimeout, work.Deadline.Time().Sub(work.ClaimedAt.Time()), w.options.Grace)
	// The token of the attempt is for its reports alone.
	connection := quarterjack.Options{URL: w.options.URL, Token: work.Token, Retry: w.options.Retry,
		HTTPClient: w.options.HTTPClient}
	api, err := quarterjack.New(connection)
	if err != nil {
		return nil, err
	}
	connection.Retry.MaxTries, connection.Retry.Timeout = 1, rules.heartbeatWithin
	once, err := quarterjack.New(connection)
	if err != nil {
		return nil, err
	}
	r := &run{work: work, worker: w, api: api, startedAt: clock.Now()}
	work.lease = newLease(ctx, rules, answer.sentAt, answer.answeredAt, func(ctx context.Context,
		progress *quarterjack.Heartbeat) (bool, error) {
		var kept struct {
			Status          string `json:"status"`
			CancelRequested bool   `json:"cancelRequested"`
		}
		if progress == nil {
			progress = &quarterjack.Heartbeat{}
		}
		err := once.Do(ctx, http.MethodPost, "/v1/attempts/heartbeat", progress, &kept,
			quarterjack.Repeatable())
		if err == nil && kept.Status == "" {
			err = errors.New("the answer of a heartbeat has no status")
		}
		return kept.CancelRequested, err
	})
	work.log = newLogSender(ctx, func(err error) {
		w.tell(Event{Type: LogFailed, Work: work, Err: err})
	}, func(ctx context.Context, chunk logChunk) (bool, error) {
		var receipt struct {
			Truncated bool `json:"truncated"`
		}
		err := api.Do(ctx, http.MethodPost, "/v1/attempts/log", chunk, &receipt, quarterjack.Repeatable())
		return receipt.Truncated, err
	})
	return r, nil
}

// release gives work back that came when the worker was to end.
func (r *run) release() {
	r.startedAt = clock.Now()
	outcome := r.send(report{what: "release"})
	r.work.lease.end()
	r.end(Event{Outcome: outcome})
}

func (r *run) do(handle Handler) {
	lease, log := r.work.lease, r.work.log
	if !lease.begin() {
		lease.end()
		r.end(Event{Outcome: WasLost})
		return
	}
	r.worker.tell(Event{Type: Started, Work: r.work})
	result, err := r.work.handled(handle)
	lease.review()
	report := reportOf(r.work.jsonOf(result), err, lease.stopReason())
	if report.what != "nothing" {
		lease.sayNow()
		log.close(logBeforeReport)
	}
	outcome := r.send(report)
	lease.end()
	if !lease.isGone() {
		log.close(logAfterReport)
	}
	log.abandon()
	r.end(Event{Outcome: outcome, Err: err, Retriable: report.Retriable != nil && *report.Retriable})
}

// send repeats the report while the lease lasts. A result that the API does not take is left out.
func (r *run) send(sent report) Outcome {
	if sent.what == "nothing" {
		return WasLost
	}
	ctx := context.Background()
	for {
		err := r.sendOnce(ctx, sent)
		var conflict *quarterjack.ConflictError
		switch {
		case err == nil:
			return map[string]Outcome{"complete": Succeeded, "fail": Failed, "release": Released}[sent.what]
		case errors.As(err, &conflict):
			return WasLost
		case isTemporary(err):
			if r.work.lease.mayBeLost() {
				return Unreported
			}
			pause(ctx, reportRetry)
		case sent.what == "complete" && sent.Result != nil:
			sent.Result = nil
		default:
			return Unreported
		}
	}
}

func (r *run) sendOnce(ctx context.Context, sent report) error {
	path := "/v1/attempts/" + sent.what
	if sent.what == "release" {
		path = "/v1/work/release"
	}
	var answer struct {
		Status string `json:"status"`
	}
	return r.api.Do(ctx, http.MethodPost, path, sent, &answer, quarterjack.Repeatable())
}

func (r *run) end(event Event) {
	event.Type, event.Work = Ended, r.work
	event.Stopped, event.Duration = r.work.lease.stopReason(), clock.Since(r.startedAt)
	event.DroppedLogLines = r.work.log.droppedLines()
	r.worker.tell(event)
}
