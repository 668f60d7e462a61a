import type { paths } from './schema';

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;
type ResponseBody<Route, Status extends number> = Route extends { responses: infer All }
  ? Status extends keyof All
    ? Json<All[Status]>
    : never
  : never;
type RequestBody<Route> = Route extends { requestBody?: infer Request } ? Json<NonNullable<Request>> : never;
type Query<Route> = Route extends { parameters: { query?: infer Parameters } }
  ? NonNullable<Parameters>
  : never;

/** A job as its user defines it: the body of POST and PUT. */
export type JobDefinition = RequestBody<paths['/v1/jobs']['post']>;
export type Schedule = JobDefinition['schedule'];
/** The body of PATCH: a field that is left out stays as it is, and null removes it. */
export type JobChanges = RequestBody<paths['/v1/jobs/{jobId}']['patch']>;
/** A job as the API returns it. */
export type Job = ResponseBody<paths['/v1/jobs/{jobId}']['get'], 200>;
/** A job with its ETag. Pass `{ ifMatch: job.etag }` to change it only if it has not changed since. */
export type JobWithEtag = Job & { etag: string };
export type JobStatus = Job['status'];
/** A change of a job, as its history shows it. */
export type ChangeRecord = ResponseBody<paths['/v1/jobs/{jobId}/changes/{number}']['get'], 200>;

export type Execution = ResponseBody<paths['/v1/jobs/{jobId}/executions/{execId}']['get'], 200>;
export type ExecutionStatus = Execution['status'];
/** A task of a run. */
export type TaskState = ResponseBody<
  paths['/v1/jobs/{jobId}/executions/{execId}/tasks']['get'],
  200
>['items'][number];
/** A task of a run with its attempts. */
export type TaskDetail = ResponseBody<
  paths['/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}']['get'],
  200
>;
/** An item of a task with `forEach`. */
export type Item = ResponseBody<
  paths['/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/items']['get'],
  200
>['items'][number];
/** An item with its attempts. */
export type ItemDetail = ResponseBody<
  paths['/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/items/{index}']['get'],
  200
>;
/** A backfill, and how far it is. */
export type Backfill = ResponseBody<paths['/v1/jobs/{jobId}/backfills/{execId}']['get'], 200>;
/** What a backfill would do, and cost. */
export type BackfillPlan = ResponseBody<paths['/v1/jobs/{jobId}/backfills']['post'], 200>;
/** Which backfills a list has. */
export type BackfillFilter = Omit<Query<paths['/v1/backfills']['get']>, 'cursor'>;
/** Which dates of a job run, and how. */
export type BackfillRequest = Omit<RequestBody<paths['/v1/jobs/{jobId}/backfills']['post']>, 'dryRun'>;
export type ItemFilter = Omit<
  Query<paths['/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/items']['get']>,
  'cursor'
>;
export type TaskFilter = Omit<Query<paths['/v1/jobs/{jobId}/executions/{execId}/tasks']['get']>, 'cursor'>;
/** The payload of a retry; of a run, which of its tasks run again. */
export type RetryRequest = RequestBody<paths['/v1/jobs/{jobId}/executions/{execId}/retry']['post']>;
/** What runs again of a task of a running run. */
export type TaskRetryRequest = RequestBody<
  paths['/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/retry']['post']
>;
/** What is said about an approval. */
export type Decision = RequestBody<
  paths['/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/approve']['post']
>;
/** An approval, or a paused run. */
export type Waiting = ResponseBody<paths['/v1/waiting']['get'], 200>['items'][number];
export type WaitingFilter = Omit<Query<paths['/v1/waiting']['get']>, 'cursor'>;
/** A kept version of a job's workflow. Lists leave its tasks out. */
export type WorkflowVersion = ResponseBody<paths['/v1/jobs/{jobId}/versions/{version}']['get'], 200>;
/** A workflow to check, with values that its templates would get. */
export type WorkflowCheckRequest = RequestBody<paths['/v1/workflows/check']['post']>;
/** What is wrong with a workflow, or what its tasks would get. */
export type WorkflowCheck = ResponseBody<paths['/v1/workflows/check']['post'], 200>;
/** Tasks that depend on tasks, as a job defines them. */
export type Workflow = NonNullable<JobDefinition['workflow']>;
/** Executions that a worker has claimed. */
export type ClaimedWork = ResponseBody<paths['/v1/work/claim']['post'], 200>;
/** A claimed execution, and the token for its reports. */
export type Work = ClaimedWork['work'][number];
/** A work queue that jobs name, and how many executions wait in it. */
export type WorkQueue = ResponseBody<paths['/v1/work/queues']['get'], 200>['items'][number];
/** A work queue with the first executions that wait, and its workers. */
export type WorkQueueDetail = ResponseBody<paths['/v1/work/queues/{queue}']['get'], 200>;
/** A page of the log of an execution. */
export type LogPage = ResponseBody<paths['/v1/jobs/{jobId}/executions/{execId}/log']['get'], 200>;
/** One line of a log. */
export type LogEntry = LogPage['items'][number];
export type TaskLogFilter = Query<paths['/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/log']['get']>;
export type LogFilter = Query<paths['/v1/jobs/{jobId}/executions/{execId}/log']['get']>;
export type UpcomingTimes = ResponseBody<paths['/v1/jobs/{jobId}/upcoming']['get'], 200>['times'];
export type Preview = ResponseBody<paths['/v1/schedules/preview']['post'], 200>;
export type SigningSecret = ResponseBody<paths['/v1/signing-secret']['get'], 200>;
/** The caller, its projects and rights, and the deployment. */
export type Me = ResponseBody<paths['/v1/me']['get'], 200>;
/** What the project uses of each quota. */
export type Usage = ResponseBody<paths['/v1/usage']['get'], 200>;
/** How a program signs a user in. */
export type SignIn = ResponseBody<paths['/v1/sign-in']['get'], 200>;

/** The body of PUT: what a calendar says. */
export type CalendarDefinition = RequestBody<paths['/v1/calendars/{calendarId}']['put']>;
/** A calendar, and the jobs that use it. */
export type Calendar = ResponseBody<paths['/v1/calendars/{calendarId}']['get'], 200>;
/** A calendar after a change, and what became of its jobs. */
export type CalendarChange = ResponseBody<paths['/v1/calendars/{calendarId}']['put'], 200>;
/** A calendar without its content. */
export type CalendarSummary = ResponseBody<paths['/v1/calendars']['get'], 200>['items'][number];

/** A secret of the project, without its value. */
export type Secret = ResponseBody<paths['/v1/secrets/{name}']['get'], 200>;
/** What tells of problems, and how. */
export type Notification = ResponseBody<paths['/v1/notifications/{id}']['get'], 200>;
/** A notification as its user defines it. */
export type NotificationDefinition = RequestBody<paths['/v1/notifications/{id}']['put']>;
/** The execution that delivers a test message. */
export type NotificationTest = ResponseBody<paths['/v1/notifications/{id}/test']['post'], 202>;
/** Who made a change. */
export type Actor = NonNullable<Job['by']>;

/** A concurrency key, the executions that hold its slots, and the first that wait. */
export type ConcurrencyKey = ResponseBody<paths['/v1/concurrency-keys/{key}']['get'], 200>;
/** What a key lets run at a time, and how many executions it lets start in a period. */
export type ConcurrencyKeyDefinition = RequestBody<paths['/v1/concurrency-keys/{key}']['put']>;
/** An API key, without its secret. */
export type ApiKey = ResponseBody<paths['/v1/api-keys']['get'], 200>['items'][number];
/** A key that was just created: `key` is shown only once. */
export type NewApiKey = ResponseBody<paths['/v1/api-keys']['post'], 201>;
/** What a new key may do, and for how long. */
export type ApiKeyDefinition = RequestBody<paths['/v1/api-keys']['post']>;
/** A change of the project's access, or a request that was denied. */
export type AuditRecord = ResponseBody<paths['/v1/audit']['get'], 200>['items'][number];

/** The state of a deployment, for its operators. */
export type DeploymentStatus = ResponseBody<paths['/v1/admin/status']['get'], 200>;

/** A job without its payload, headers and policies, and with its newest executions. */
export type JobSummary = Extract<
  ResponseBody<paths['/v1/jobs']['get'], 200>['items'][number],
  { kind: string }
>;
/** How the executions of a job went. */
export type JobStats = ResponseBody<paths['/v1/jobs/{jobId}/stats']['get'], 200>;
/** Why a job ran, did not run, or will run at an instant. */
export type Explanation = ResponseBody<paths['/v1/jobs/{jobId}/explain']['get'], 200>;
/** The next due times over all jobs. */
export type UpcomingOfJobs = ResponseBody<paths['/v1/upcoming']['get'], 200>;
/** Planned occurrences by minute: `counts` has one for each minute from `from` on. */
export type Load = Omit<ResponseBody<paths['/v1/load']['get'], 200>, 'nextCursor'>;

export type JobFilter = Omit<Query<paths['/v1/jobs']['get']>, 'cursor' | 'fields' | 'history'>;
/** `history`: how many of its newest executions each summary has, 0 to 20. */
export type JobSummaryFilter = Omit<Query<paths['/v1/jobs']['get']>, 'cursor' | 'fields'>;
export type UpcomingFilter = Query<paths['/v1/upcoming']['get']>;
export type LoadFilter = Omit<Query<paths['/v1/load']['get']>, 'cursor'>;
export type ExecutionFilter = Omit<Query<paths['/v1/jobs/{jobId}/executions']['get']>, 'cursor'>;
export type FailureFilter = Omit<Query<paths['/v1/failures']['get']>, 'cursor' | 'group'>;
/** Failures by cause. If `complete` is false, each `count` is a lower bound. */
export type FailureGroups = Extract<ResponseBody<paths['/v1/failures']['get'], 200>, { groups: unknown }>;
/** An action, and the filter that selects what it is about. */
export type BulkRequest = RequestBody<paths['/v1/bulk']['post']>;
export type BulkFilter = BulkRequest['filter'];
/** What one page of a bulk has done. */
export type BulkPage = ResponseBody<paths['/v1/bulk']['post'], 200>;
/** A page of the executions of several jobs. `complete: false`: some may be missing from all pages. */
export type ExecutionsOfJobs = ResponseBody<paths['/v1/executions']['get'], 200>;
export type ExecutionsOfJobsFilter = Omit<Query<paths['/v1/executions']['get']>, 'cursor'>;
export type AuditFilter = Omit<Query<paths['/v1/audit']['get']>, 'cursor'>;
/** The outcome of one job of a batch: `job` if it was created, else `problem`. */
export type BatchOutcome = ResponseBody<paths['/v1/jobs/batch']['post'], 207>['outcomes'][number];
/** The outcomes that a batch would have. `usage`: what its jobs would add to the quotas. */
export type BatchDryRun = ResponseBody<paths['/v1/jobs/batch']['post'], 207>;
/** An ordering key: the execution that holds it, whether it is blocked, and the executions that wait. */
export type OrderingKey = ResponseBody<paths['/v1/ordering-keys']['get'], 200>;
/** An event, as it is sent. */
export type EventToSend = RequestBody<paths['/v1/events']['post']>;
/** An event, and the executions that it starts. */
export type SentEvent = ResponseBody<paths['/v1/events']['post'], 202>;
