package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
	"github.com/quarterjack/quarterjack/sdk/go/worker"
)

// Handler serves the program Default over HTTP.
func Handler(verify quarterjack.VerifyOptions, guard *quarterjack.FenceGuard) (http.Handler, error) {
	return Default.Handler(verify, guard)
}

// Handler verifies deliveries, and runs the jobs that they name. A guard, which may be nil, refuses what
// arrives after a later attempt. It fails without a signing secret.
//
// A failure is 500; with RetryAfter 503; a FatalError and a payload that does not fit are 422.
func (p *Program) Handler(verify quarterjack.VerifyOptions, guard *quarterjack.FenceGuard) (http.Handler,
	error) {
	return verify.Verified(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d := quarterjack.DeliveryOf(r)
		run := &Run{JobID: d.JobID, ExecID: d.ExecID, DueAt: d.DueAt, Attempt: d.Attempt, Fence: d.Fence,
			Key: d.Key, payload: d.Body, log: toLog}
		url := p.URL
		if url == "" && d.HeadersSigned() {
			url = d.Callback() // the signature says where the API is
		}
		reporter, fault := d.Reporter(quarterjack.Options{URL: url})
		result, err := p.observed(r.Context(), run, reporter, fault)
		answer(w, result, err)
	}), guard)
}

// observed runs a job while its log and its progress go to the API, which ends the context when the work has
// to stop. Without a reporter, package log gets the lines.
func (p *Program) observed(ctx context.Context, run *Run, reporter *quarterjack.Reporter, fault error) (any,
	error) {
	if fault != nil {
		toLog(true, "this attempt is not observed: "+fault.Error())
	}
	if fault != nil || reporter == nil {
		return p.do(ctx, run)
	}
	observer := worker.Observe(ctx, reporter, func(err error) {
		toLog(true, "the log of the attempt is not kept: "+err.Error())
	})
	defer observer.Close()
	run.log = logTo(observer.Log)
	run.progress, run.stopReason = observer.Progress, observer.StopReason
	return p.do(observer.Context(), run)
}

func logTo(write func(worker.Stream, string)) func(bool, string) {
	return func(isError bool, line string) {
		if isError {
			write(worker.Stderr, line)
		} else {
			write(worker.Stdout, line)
		}
	}
}

func answer(w http.ResponseWriter, result any, err error) {
	var fatal *quarterjack.FatalError
	var later *quarterjack.RetryAfterError
	switch {
	case err == nil:
		text := textOf(result)
		if text == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(text) // a caller that is gone asks again
	case errors.As(err, &fatal):
		say(w, fatal.Reason)
		quarterjack.WriteProblem(w, http.StatusUnprocessableEntity, "Fatal", err.Error())
	case errors.As(err, &later):
		say(w, later.Reason)
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(later.Delay.Seconds()))))
		quarterjack.WriteProblem(w, http.StatusServiceUnavailable, "Try again later", err.Error())
	default:
		quarterjack.WriteProblem(w, http.StatusInternalServerError, "Failed", err.Error())
	}
}

func say(w http.ResponseWriter, reason string) {
	if reason != "" {
		w.Header().Set("Quarterjack-Reason", reason)
	}
}

// textOf leaves out a result that has no JSON, and says so.
func textOf(result any) []byte {
	if result == nil {
		return nil
	}
	text, err := json.Marshal(result)
	if err != nil {
		toLog(true, "the result has no JSON, and is not kept: "+err.Error())
		return nil
	}
	return text
}

// Work runs what a worker has claimed by the program Default: w.Run(ctx, jobs.Work).
func Work(ctx context.Context, work *worker.Work) (any, error) { return Default.Work(ctx, work) }

// Work is a worker.Handler: w.Run(ctx, program.Work).
func (p *Program) Work(ctx context.Context, work *worker.Work) (any, error) {
	return p.do(ctx, &Run{JobID: work.JobID, ExecID: work.ExecID, DueAt: work.DueAt.Time(),
		Attempt: work.Attempt, Fence: int64(work.Fence), Key: work.Key, payload: work.Payload,
		log: logTo(work.Log), progress: work.Progress, stopReason: work.StopReason})
}
