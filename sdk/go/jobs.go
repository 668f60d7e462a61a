package quarterjack

import (
	"context"
	"net/http"
)

// Jobs has the calls under /v1/jobs.
type Jobs struct{ c *Client }

// StoredJob is a job as it is, with the ETag that IfMatch takes.
type StoredJob struct {
	Job
	ETag string
}

func (s *Jobs) job(ctx context.Context, r request, options []CallOption) (*StoredJob, error) {
	result, err := s.c.send(ctx, r, options)
	if err != nil {
		return nil, err
	}
	job := &StoredJob{ETag: result.header.Get("Etag")}
	return job, result.decode(&job.Job, "jobId")
}

// Create makes a job. Without a JobID, the API generates one. It fails with a ConflictError if the id is
// taken.
func (s *Jobs) Create(ctx context.Context, job JobDefinition, o ...CallOption) (*StoredJob, error) {
	return s.job(ctx, creating(job, "/v1/jobs"), o)
}

// CreateBatch makes up to 100 jobs. Each has its own outcome: one that fails does not stop the others. See
// also Replace and DryRun.
func (s *Jobs) CreateBatch(ctx context.Context, jobs []JobDefinition, o ...CallOption) (*BatchOutcomes,
	error) {
	return fetch[BatchOutcomes](ctx, s.c, creating(JobBatch{Jobs: jobs}, "/v1/jobs/batch"), o, "outcomes")
}

// Put creates or replaces the job; an equal definition changes nothing. A paused job stays paused.
func (s *Jobs) Put(ctx context.Context, jobID string, job JobDefinition, o ...CallOption) (*StoredJob,
	error) {
	return s.job(ctx, changing(http.MethodPut, job, "/v1/jobs/{}", jobID), o)
}

// Get is one job.
func (s *Jobs) Get(ctx context.Context, jobID string) (*StoredJob, error) {
	return s.job(ctx, read("/v1/jobs/{}", jobID), nil)
}

// List is sorted by JobID. Limit of the filter is the size of one page.
func (s *Jobs) List(ctx context.Context, filter *ListJobsQuery, o ...CallOption) *List[Job] {
	return listOf[Job](ctx, s.c, read("/v1/jobs").with(filter), o, "jobId")
}

// Summaries are small, and say how each job last went. A page may have 500 of them.
func (s *Jobs) Summaries(ctx context.Context, filter *ListJobsQuery, o ...CallOption) *List[JobSummary] {
	asked := read("/v1/jobs").with(filter)
	asked.query.Set("fields", "summary")
	return listOf[JobSummary](ctx, s.c, asked, o, "jobId")
}

// Patch is a JSON merge patch: a JobPatch, or a map in which nil removes a field.
func (s *Jobs) Patch(ctx context.Context, jobID string, changes any, o ...CallOption) (*StoredJob, error) {
	return s.job(ctx, changing(http.MethodPatch, changes, "/v1/jobs/{}", jobID), o)
}

// Delete removes a job. Its history stays readable until its retention ends.
func (s *Jobs) Delete(ctx context.Context, jobID string, o ...CallOption) error {
	return s.c.remove(ctx, changing(http.MethodDelete, nil, "/v1/jobs/{}", jobID), o)
}

// Pause keeps a job from firing.
func (s *Jobs) Pause(ctx context.Context, jobID string, o ...CallOption) (*StoredJob, error) {
	return s.job(ctx, changing(http.MethodPost, nil, "/v1/jobs/{}/pause", jobID), o)
}

// PauseUntil keeps a job from firing until an instant, such as 2026-12-24T08:00:00Z. Then it is resumed.
func (s *Jobs) PauseUntil(ctx context.Context, jobID, until string, o ...CallOption) (*StoredJob, error) {
	if until == "" { // it would be left out, and the pause have no end
		return nil, &ArgumentError{"until", until, "an instant, such as 2026-12-24T08:00:00Z"}
	}
	body := PauseRequest{Until: until}
	return s.job(ctx, changing(http.MethodPost, body, "/v1/jobs/{}/pause", jobID), o)
}

// Resume ends a pause.
func (s *Jobs) Resume(ctx context.Context, jobID string, o ...CallOption) (*StoredJob, error) {
	return s.job(ctx, changing(http.MethodPost, nil, "/v1/jobs/{}/resume", jobID), o)
}

// Run runs the job once, now or later. The schedule does not change.
func (s *Jobs) Run(ctx context.Context, jobID string, run RunRequest, o ...CallOption) (*Execution, error) {
	return fetch[Execution](ctx, s.c, creating(run, "/v1/jobs/{}/run", jobID), o, "execId", "status")
}

// RunMany asks for up to 100 runs. Each has its own outcome: one that is refused does not stop the others.
func (s *Jobs) RunMany(ctx context.Context, jobID string, runs []RunRequest,
	o ...CallOption) (*RunOutcomes, error) {
	asked := creating(RunsRequest{Runs: runs}, "/v1/jobs/{}/runs", jobID)
	return fetch[RunOutcomes](ctx, s.c, asked, o, "outcomes")
}

// CancelRun cancels the run that has a key.
func (s *Jobs) CancelRun(ctx context.Context, jobID, key string, o ...CallOption) (*CancelledRun, error) {
	asked := changing(http.MethodPost, RunKeyRequest{Key: key}, "/v1/jobs/{}/runs/cancel", jobID)
	return fetch[CancelledRun](ctx, s.c, asked, o, "outcome")
}

// Stats says how the job's executions of the last days went, from its newest 2,000 rows.
func (s *Jobs) Stats(ctx context.Context, jobID string, filter *GetJobStatsQuery) (*JobStats, error) {
	return fetch[JobStats](ctx, s.c, read("/v1/jobs/{}/stats", jobID).with(filter), nil, "jobId")
}

// Explain says why the job ran, did not run, or will run at an instant in RFC 3339 with an offset. A whole
// minute also means the first due time within it. Empty: the last due time.
func (s *Jobs) Explain(ctx context.Context, jobID, at string) (*Explanation, error) {
	asked := read("/v1/jobs/{}/explain", jobID).with(ExplainOccurrenceQuery{At: at})
	return fetch[Explanation](ctx, s.c, asked, nil, "verdict", "steps")
}

// Ping is the URL to which the job of a monitor pings. The URL is a secret.
func (s *Jobs) Ping(ctx context.Context, jobID string) (*PingKey, error) {
	return fetch[PingKey](ctx, s.c, read("/v1/jobs/{}/ping", jobID), nil, "url")
}

// RotatePing gives a monitor another URL. The one before works for a day; with Now, it ends at once.
func (s *Jobs) RotatePing(ctx context.Context, jobID string, r PingRotation, o ...CallOption) (*PingKey, error) {
	asked := changing(http.MethodPost, r, "/v1/jobs/{}/ping/rotate", jobID)
	return fetch[PingKey](ctx, s.c, asked, o, "url")
}

// Upcoming are the next due times. None while the job is paused.
func (s *Jobs) Upcoming(ctx context.Context, jobID string, filter *ListUpcomingQuery) (*Times, error) {
	return fetch[Times](ctx, s.c, read("/v1/jobs/{}/upcoming", jobID).with(filter), nil, "times")
}

// Changes has the calls under /v1/jobs/{jobId}/changes. CreatedAt says which of several jobs of one id is
// meant.
type Changes struct{ c *Client }

// List is that of the changes of a job, newest first.
func (s *Changes) List(ctx context.Context, jobID string, filter *ListJobChangesQuery, o ...CallOption) *List[Change] {
	return listOf[Change](ctx, s.c, read("/v1/jobs/{}/changes", jobID).with(filter), o, "what", "at")
}

// Get is one change.
func (s *Changes) Get(ctx context.Context, jobID string, number int, o ...CallOption) (*Change, error) {
	return fetch[Change](ctx, s.c, read("/v1/jobs/{}/changes/{}", jobID, itoa(number)), o, "what")
}

// Restore gives the job the definition that it had after the change. A deleted job is created again.
func (s *Changes) Restore(ctx context.Context, jobID string, number int, o ...CallOption) (*StoredJob,
	error) {
	asked := changing(http.MethodPost, nil, "/v1/jobs/{}/changes/{}/restore", jobID, itoa(number))
	return s.c.Jobs.job(ctx, asked, o)
}

// Delete removes the definition of a change for good. The change stays in the list.
func (s *Changes) Delete(ctx context.Context, jobID string, number int, o ...CallOption) error {
	return s.c.remove(ctx, changing(http.MethodDelete, nil, "/v1/jobs/{}/changes/{}", jobID, itoa(number)), o)
}

// Backfills has runs of jobs for the due times of a range. Each is a run with an ExecID: Runs.Pause,
// Runs.Resume, Executions.Cancel and Executions.Retry take it.
type Backfills struct{ c *Client }

// Start runs a job once for each due time of its schedule from From to before To.
func (s *Backfills) Start(ctx context.Context, jobID string, asked BackfillRequest,
	o ...CallOption) (*Backfill, error) {
	return fetch[Backfill](ctx, s.c, creating(asked, "/v1/jobs/{}/backfills", jobID), o, "execId", "status")
}

// DryRun is what the same request would do, and what it would cost. Writes nothing.
func (s *Backfills) DryRun(ctx context.Context, jobID string, asked BackfillRequest) (*BackfillPlan, error) {
	asked.DryRun = Ptr(true)
	return fetch[BackfillPlan](ctx, s.c, creating(asked, "/v1/jobs/{}/backfills", jobID), nil, "count",
		"estimate")
}

// List is that of the backfills of a job, newest first.
func (s *Backfills) List(ctx context.Context, jobID string, filter *ListBackfillsQuery, o ...CallOption) *List[Backfill] {
	return listOf[Backfill](ctx, s.c, read("/v1/jobs/{}/backfills", jobID).with(filter), o, "jobId",
		"execId")
}

// ListAll is that of the backfills of all jobs, newest first.
func (s *Backfills) ListAll(ctx context.Context, filter *ListAllBackfillsQuery, o ...CallOption) *List[Backfill] {
	return listOf[Backfill](ctx, s.c, read("/v1/backfills").with(filter), o, "jobId", "execId")
}

// Get is one backfill.
func (s *Backfills) Get(ctx context.Context, jobID, execID string) (*Backfill, error) {
	return fetch[Backfill](ctx, s.c, read("/v1/jobs/{}/backfills/{}", jobID, execID), nil, "execId", "status")
}
