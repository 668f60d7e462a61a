// Package jobs defines jobs beside the functions that do their work:
//
//	type Report struct{ Region string }
//
//	func main() {
//		jobs.Handle("nightly-report", func(ctx context.Context, run *jobs.Run, report Report) (any, error) {
//			run.Logf("the report of %s", report.Region)
//			return makeReport(ctx, report.Region, run.DueAt)
//		}, jobs.Cron("30 2 * * MON-FRI", "Europe/Berlin"), jobs.Payload(Report{Region: "eu"}))
//		jobs.Main()
//	}
//
// The program prints its jobs with `go run . -quarterjack-define > jobs.json`, and `quarterjack deploy
// jobs.json` registers them. Deliveries then arrive at Handler over HTTP, at Work from a work queue, or at
// Lambda.
package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"regexp"
	"runtime/debug"
	"sort"
	"strings"
	"time"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
	"github.com/quarterjack/quarterjack/sdk/go/internal/duration"
	"github.com/quarterjack/quarterjack/sdk/go/worker"
)

// Run is one attempt of an execution.
type Run struct {
	JobID  string
	ExecID string
	DueAt  time.Time
	// Attempt counts from 1. A retry that a user asks for starts again at 1.
	Attempt int
	// Fence rises with each attempt: a write with a lower one than the last is late.
	Fence int64
	// Key is the key of the run; empty if it has none.
	Key string

	payload    json.RawMessage
	log        func(isError bool, line string)
	progress   func(share float64, text string)
	stopReason func() worker.StopReason
}

// Logf writes a line: to the log of the attempt if a worker runs it, or if its target has observe; else to
// package log.
func (r *Run) Logf(format string, args ...any) { r.log(false, fmt.Sprintf(format, args...)) }

// Errorf writes a line as an error.
func (r *Run) Errorf(format string, args ...any) { r.log(true, fmt.Sprintf(format, args...)) }

// Progress says how far the work is, from 0 to 1, and what is done now, in at most 200 characters: the
// execution shows it if a worker runs it, or if its target has observe. It never waits.
func (r *Run) Progress(share float64, text string) {
	if r.progress != nil {
		r.progress(share, text)
	}
}

// StopReason says why the API has ended the context; empty if it has not.
func (r *Run) StopReason() worker.StopReason {
	if r.stopReason == nil {
		return ""
	}
	return r.stopReason()
}

func toLog(_ bool, line string) { log.Print(line) }

// Wrap runs around each job, for traces. It has to call next.
type Wrap func(ctx context.Context, run *Run, next func(context.Context) (any, error)) (any, error)

// Program has jobs with different ids. The functions of this package are about one that all share.
type Program struct {
	// Prefix is what deployed jobs have before their ids. Default: QUARTERJACK_JOB_PREFIX.
	Prefix string
	// Project is the only one whose deliveries Lambda takes. Default: each.
	Project string
	// URL of the API, and what runs tell it goes nowhere else. Default: QUARTERJACK_URL.
	URL string
	// Source owns the jobs of the manifest. `quarterjack deploy --source` comes before it.
	Source string
	Wrap   Wrap

	jobs map[string]*Job
}

// Job is one of a Program.
type Job struct {
	ID         string
	definition quarterjack.JobDefinition
	isPaused   *bool
	timeout    time.Duration
	decode     func(json.RawMessage) (any, error)
	run        func(context.Context, *Run, any) (any, error)
}

// Default is the program of Handle and Main.
var Default = NewProgram()

// NewProgram makes a program without jobs.
func NewProgram() *Program {
	return &Program{Prefix: os.Getenv("QUARTERJACK_JOB_PREFIX"), URL: os.Getenv("QUARTERJACK_URL"), jobs: map[string]*Job{}}
}

// Validator is what a type of payloads may be: a payload with a fault is fatal, as one of the wrong type.
type Validator interface{ Validate() error }

// Handle defines a job of the program Default. The function gets the payload in its own type, read by
// encoding/json; see also Validator. What it returns is the result. An error is a failure that may be
// retried, unless it is a FatalError; see also RetryAfter of package quarterjack. The context ends when the
// work has to stop.
//
// id has 1 to 48 small letters, digits and "-". Handle panics for what no deployment takes: an id that is
// given twice, or a payload that does not fit.
func Handle[Payload, Result any](id string, run func(context.Context, *Run, Payload) (Result, error),
	options ...Option) *Job {
	return HandleIn(Default, id, run, options...)
}

var validID = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,47}$`)

// HandleIn defines a job of another program.
func HandleIn[Payload, Result any](p *Program, id string, run func(context.Context, *Run, Payload) (Result,
	error), options ...Option) *Job {
	job := &Job{ID: id, definition: quarterjack.JobDefinition{Schedule: quarterjack.Schedule{Type: "none"}}}
	job.decode = func(payload json.RawMessage) (any, error) { return decoded[Payload](payload) }
	job.run = func(ctx context.Context, r *Run, payload any) (any, error) {
		return run(ctx, r, *payload.(*Payload))
	}
	for _, option := range options {
		option(job)
	}
	if err := job.check(); err != nil {
		panic(fmt.Errorf("job %q: %w", id, err))
	}
	if _, twice := p.jobs[id]; twice {
		panic(&quarterjack.ArgumentError{Argument: "id", Value: id, Expected: "one that no other job has"})
	}
	p.jobs[id] = job
	return job
}

func decoded[Payload any](text json.RawMessage) (*Payload, error) {
	payload := new(Payload)
	if err := json.Unmarshal(text, payload); err != nil {
		return nil, misfit(err)
	}
	validator, ok := any(payload).(Validator)
	if !ok {
		validator, ok = any(*payload).(Validator)
	}
	if ok {
		if err := validator.Validate(); err != nil {
			return nil, misfit(err)
		}
	}
	return payload, nil
}

func misfit(err error) error {
	return &quarterjack.FatalError{Err: fmt.Errorf("the payload is invalid: %w", err), Reason: "bad-payload"}
}

func (j *Job) check() error {
	if !validID.MatchString(j.ID) {
		return &quarterjack.ArgumentError{Argument: "id", Value: j.ID,
			Expected: "1 to 48 characters of a-z, 0-9 and \"-\", the first none of \"-\""}
	}
	if j.definition.Timeout == "" {
		j.timeout = 5 * time.Minute
	} else if j.timeout = duration.Of(j.definition.Timeout); j.timeout == 0 {
		return &quarterjack.ArgumentError{Argument: "timeout", Value: j.definition.Timeout,
			Expected: "a duration such as 5m"}
	}
	for key := range j.definition.Tags {
		if strings.HasPrefix(key, "quarterjack/") {
			return &quarterjack.ArgumentError{Argument: "tags", Value: key,
				Expected: "none that begins with quarterjack/: deploying sets these"}
		}
	}
	schedule, own := j.definition.Schedule, []byte("{}")
	if j.definition.Payload != nil {
		var err error
		if own, err = json.Marshal(j.definition.Payload); err != nil {
			return fmt.Errorf("its own payload: %w", err)
		}
	} else if schedule.Type == "none" || schedule.Type == "event" {
		return nil // what starts it brings a payload
	}
	if j.definition.Templates != nil && *j.definition.Templates {
		return nil // templates are rendered for each execution, and fit then or not
	}
	if _, err := j.decode(own); err != nil {
		return fmt.Errorf("its own payload: %w", err)
	}
	return nil
}

// unknownDelay: a program that is older or newer than the job may be replaced soon.
const unknownDelay = time.Minute

// do runs the job that a delivery names.
func (p *Program) do(ctx context.Context, run *Run) (result any, err error) {
	job := p.jobs[strings.TrimPrefix(run.JobID, p.Prefix)]
	if job == nil || !strings.HasPrefix(run.JobID, p.Prefix) {
		return nil, &quarterjack.RetryAfterError{Delay: unknownDelay, Reason: "unknown-job",
			Err: fmt.Errorf("unknown-job: %s is none of this program, which has: %s", run.JobID,
				strings.Join(p.ids(), ", "))}
	}
	if len(run.payload) == 0 {
		run.payload = []byte("{}")
	}
	payload, err := job.decode(run.payload)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, job.timeout)
	defer cancel()
	defer func() {
		if fault := recover(); fault != nil {
			run.Errorf("panic: %v\n%s", fault, debug.Stack())
			result, err = nil, fmt.Errorf("panic: %v", fault)
		}
	}()
	next := func(ctx context.Context) (any, error) { return job.run(ctx, run, payload) }
	if p.Wrap != nil {
		return p.Wrap(ctx, run, next)
	}
	return next(ctx)
}

func (p *Program) ids() []string {
	var ids []string
	for id := range p.jobs {
		ids = append(ids, p.Prefix+id)
	}
	sort.Strings(ids)
	return ids
}
