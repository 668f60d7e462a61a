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
		result, err := p.do(r.Context(), &Run{JobID: d.JobID, ExecID: d.ExecID, DueAt: d.DueAt,
			Attempt: d.Attempt,
			Fence:   d.Fence, payload: d.Body, log: toLog})
		answer(w, result, err)
	}), guard)
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
		quarterjack.WriteProblem(w, http.StatusUnprocessableEntity, "Fatal", err.Error())
	case errors.As(err, &later):
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(later.Delay.Seconds()))))
		quarterjack.WriteProblem(w, http.StatusServiceUnavailable, "Try again later", err.Error())
	default:
		quarterjack.WriteProblem(w, http.StatusInternalServerError, "Failed", err.Error())
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
		Attempt: work.Attempt,
		Fence:   int64(work.Fence), payload: work.Payload, log: func(isError bool, line string) {
			if isError {
				work.Log(worker.Stderr, line)
			} else {
				work.Log(worker.Stdout, line)
			}
		}})
}
