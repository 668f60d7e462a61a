package quarterjack

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

func itoa(number int) string { return strconv.Itoa(number) }

// IsTerminal says whether the execution has ended: no further attempt follows, unless a user retries it.
func (s ExecutionStatus) IsTerminal() bool {
	return s == "succeeded" || s == "failed" || s == "cancelled" || s == "skipped"
}

// Executions has the calls under /v1/jobs/{jobId}/executions.
type Executions struct{ c *Client }

const execution = "/v1/jobs/{}/executions/{}"

func (s *Executions) one(ctx context.Context, r request, o []CallOption) (*Execution, error) {
	return fetch[Execution](ctx, s.c, r, o, "execId", "status")
}

// List is newest first, unless the order of the filter is "asc".
func (s *Executions) List(ctx context.Context, jobID string, filter *ListExecutionsQuery, o ...CallOption) *List[Execution] {
	return listOf[Execution](ctx, s.c, read("/v1/jobs/{}/executions", jobID).with(filter), o, "execId",
		"status")
}

// ListOfJobs has the executions of up to 500 jobs that pass the filter, newest first: by default those of the
// last day.
func (s *Executions) ListOfJobs(ctx context.Context, filter *ListExecutionsOfJobsQuery, o ...CallOption) *List[Execution] {
	return listOf[Execution](ctx, s.c, read("/v1/executions").with(filter), o, "jobId", "execId", "status")
}

// Stats say how executions ended, by the hour or the day in which they were due. They need the journal of ends.
func (s *Executions) Stats(ctx context.Context, filter *GetStatsQuery) (*Stats, error) {
	return fetch[Stats](ctx, s.c, read("/v1/stats").with(filter), nil, "buckets")
}

// Get is one execution, with its attempts.
func (s *Executions) Get(ctx context.Context, jobID, execID string) (*Execution, error) {
	return s.one(ctx, read(execution, jobID, execID), nil)
}

// Lookup finds up to 100 executions. Those that do not exist are nil; the others keep their places.
func (s *Executions) Lookup(ctx context.Context, wanted []LookupRequestExecutions) ([]*Execution, error) {
	asked := changing(http.MethodPost, LookupRequest{Executions: wanted}, "/v1/executions/lookup")
	found, err := fetch[LookupResponse](ctx, s.c, asked, nil, "executions")
	if err != nil {
		return nil, err
	}
	return found.Executions, nil
}

// Wait asks at each interval until the execution has ended, or the context. An interval of 0 is half a
// second.
func (s *Executions) Wait(ctx context.Context, jobID, execID string, interval time.Duration) (*Execution,
	error) {
	if interval <= 0 {
		interval = 500 * time.Millisecond
	}
	for {
		found, err := s.Get(ctx, jobID, execID)
		if err != nil || found.Status.IsTerminal() {
			return found, err
		}
		if err := sleep(ctx, interval); err != nil {
			return found, err
		}
	}
}

// Log has lines of the log, in order. While an attempt works there always is a NextCursor, also after an
// empty page: pass it as After to go on.
func (s *Executions) Log(ctx context.Context, jobID, execID string, filter *GetExecutionLogQuery) (*LogPage,
	error) {
	return fetch[LogPage](ctx, s.c, read(execution+"/log", jobID, execID).with(filter), nil, "items")
}

// Cancel cancels an execution that is waiting or running. The finally tasks of a run still run, unless asked
// has Force.
func (s *Executions) Cancel(ctx context.Context, jobID, execID string, asked CancelRequest,
	o ...CallOption) (*Execution, error) {
	return s.one(ctx, changing(http.MethodPost, asked, execution+"/cancel", jobID, execID), o)
}

// Retry runs a failed, cancelled or skipped execution again. With a payload, its targets get that one. The
// call is not repeated if its response is lost: the execution may already be running.
func (s *Executions) Retry(ctx context.Context, jobID, execID string, asked RetryRequest,
	o ...CallOption) (*Execution, error) {
	return s.one(ctx, once(asked, execution+"/retry", jobID, execID), o)
}

// Runs has what a user does to a run of a workflow, and to its tasks.
type Runs struct{ c *Client }

// Pause keeps tasks of the run from beginning. Tasks that are running go on.
func (s *Runs) Pause(ctx context.Context, jobID, execID string, o ...CallOption) (*Execution, error) {
	return s.c.Executions.one(ctx, changing(http.MethodPost, nil, execution+"/pause", jobID, execID), o)
}

// Resume ends a pause.
func (s *Runs) Resume(ctx context.Context, jobID, execID string, o ...CallOption) (*Execution, error) {
	return s.c.Executions.one(ctx, changing(http.MethodPost, nil, execution+"/resume", jobID, execID), o)
}

// TaskKey names a task of a run.
type TaskKey struct{ JobID, ExecID, TaskID string }

func (k TaskKey) path(rest string) (string, string, string, string) {
	return execution + "/tasks/{}" + rest, k.JobID, k.ExecID, k.TaskID
}

func (c *Client) onTask(ctx context.Context, k TaskKey, action string, body any, o []CallOption) (*TaskDetail,
	error) {
	path, jobID, execID, taskID := k.path("/" + action)
	return fetch[TaskDetail](ctx, c, once(body, path, jobID, execID, taskID), o, "taskId", "status")
}

// Approve gives an approval. Its output is for the tasks after it.
func (s *Runs) Approve(ctx context.Context, task TaskKey, asked ApprovalRequest,
	o ...CallOption) (*TaskDetail, error) {
	return s.c.onTask(ctx, task, "approve", asked, o)
}

// Reject refuses an approval: its task fails.
func (s *Runs) Reject(ctx context.Context, task TaskKey, asked ApprovalRequest, o ...CallOption) (*TaskDetail,
	error) {
	return s.c.onTask(ctx, task, "reject", asked, o)
}

// Skip counts a task that has not begun as done. A switch needs the branch that it takes.
func (s *Runs) Skip(ctx context.Context, task TaskKey, asked SkipRequest, o ...CallOption) (*TaskDetail,
	error) {
	return s.c.onTask(ctx, task, "skip", asked, o)
}

// RetryTask runs a task of a running run again. Once the run has ended, use Executions.Retry.
func (s *Runs) RetryTask(ctx context.Context, task TaskKey, asked TaskRetryRequest,
	o ...CallOption) (*TaskDetail, error) {
	return s.c.onTask(ctx, task, "retry", asked, o)
}

// Waiting has approvals and paused runs of the project.
func (s *Runs) Waiting(ctx context.Context, filter *ListWaitingQuery, o ...CallOption) *List[Waiting] {
	return listOf[Waiting](ctx, s.c, read("/v1/waiting").with(filter), o, "execId")
}

// Tasks has the tasks of runs, and the versions of workflows.
type Tasks struct{ c *Client }

// List has each task after all that it depends on. Tasks that never ran are listed too.
func (s *Tasks) List(ctx context.Context, jobID, execID string, filter *ListTasksQuery, o ...CallOption) *List[TaskState] {
	return listOf[TaskState](ctx, s.c, read(execution+"/tasks", jobID, execID).with(filter), o, "taskId",
		"status")
}

// Get is one task.
func (s *Tasks) Get(ctx context.Context, task TaskKey) (*TaskDetail, error) {
	path, jobID, execID, taskID := task.path("")
	return fetch[TaskDetail](ctx, s.c, read(path, jobID, execID, taskID), nil, "taskId", "status")
}

// Items are those of a task with forEach, in the order of its list.
func (s *Tasks) Items(ctx context.Context, task TaskKey, filter *ListItemsQuery, o ...CallOption) *List[Item] {
	path, jobID, execID, taskID := task.path("/items")
	return listOf[Item](ctx, s.c, read(path, jobID, execID, taskID).with(filter), o, "status")
}

// Item is one with its attempts. Its index counts from 0.
func (s *Tasks) Item(ctx context.Context, task TaskKey, index int) (*ItemDetail, error) {
	path, jobID, execID, taskID := task.path("/items/{}")
	return fetch[ItemDetail](ctx, s.c, read(path, jobID, execID, taskID, itoa(index)), nil, "index", "status")
}

// Log has lines of the log of a task, as Executions.Log.
func (s *Tasks) Log(ctx context.Context, task TaskKey, filter *GetTaskLogQuery) (*LogPage, error) {
	path, jobID, execID, taskID := task.path("/log")
	return fetch[LogPage](ctx, s.c, read(path, jobID, execID, taskID).with(filter), nil, "items")
}

// Cancel cancels a task that is waiting for an attempt or running. Its failure counts.
func (s *Tasks) Cancel(ctx context.Context, task TaskKey, o ...CallOption) (*TaskDetail, error) {
	return s.c.onTask(ctx, task, "cancel", nil, append(o, Repeatable()))
}

// Check checks a workflow as that of a job, and shows what each task would get as its body. Changes nothing.
func (s *Tasks) Check(ctx context.Context, asked WorkflowCheckRequest) (*WorkflowCheck, error) {
	return fetch[WorkflowCheck](ctx, s.c, changing(http.MethodPost, asked, "/v1/workflows/check"), nil,
		"errors")
}

// Versions are the kept versions of a job's workflow, without their tasks, the newest first.
func (s *Tasks) Versions(ctx context.Context, jobID string, o ...CallOption) *List[KeptVersion] {
	return listOf[KeptVersion](ctx, s.c, read("/v1/jobs/{}/versions", jobID), o, "version")
}

// Version is one with its tasks.
func (s *Tasks) Version(ctx context.Context, jobID, version string) (*KeptVersion, error) {
	return fetch[KeptVersion](ctx, s.c, read("/v1/jobs/{}/versions/{}", jobID, version), nil, "version")
}
