import type { components, operations } from './schema';

/** What the API takes and gives, by the name in its OpenAPI document. */
type Schemas = components['schemas'];
type Query<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>;

/** A job as its user defines it: the body of POST and PUT. */
export type JobDefinition = Schemas['JobDefinition'];
export type Schedule = JobDefinition['schedule'];
/** The body of PATCH: a field that is left out stays as it is, and null removes it. */
export type JobChanges = Schemas['JobPatch'];
/** A job as the API returns it. */
export type Job = Schemas['Job'];
/** A job with its ETag. Pass `{ ifMatch: job.etag }` to change it only if it has not changed since. */
export type JobWithEtag = Job & { etag: string };
export type JobStatus = Job['status'];
/** A change of a job, as its history shows it. */
export type ChangeRecord = Schemas['Change'];

export type Execution = Schemas['Execution'];
export type ExecutionStatus = Execution['status'];
/** A task of a run. */
export type TaskState = Schemas['TaskPage']['items'][number];
/** A task of a run with its attempts. */
export type TaskDetail = Schemas['TaskDetail'];
/** An item of a task with `forEach`. */
export type Item = Schemas['ItemPage']['items'][number];
/** An item with its attempts. */
export type ItemDetail = Schemas['ItemDetail'];
/** A backfill, and how far it is. */
export type Backfill = Schemas['Backfill'];
/** What a backfill would do, and cost. */
export type BackfillPlan = Schemas['BackfillPlan'];
/** Which backfills a list has. */
export type BackfillFilter = Omit<Query<'listAllBackfills'>, 'cursor'>;
/** Which dates of a job run, and how. */
export type BackfillRequest = Omit<Schemas['BackfillRequest'], 'dryRun'>;
export type ItemFilter = Omit<Query<'listItems'>, 'cursor'>;
export type TaskFilter = Omit<Query<'listTasks'>, 'cursor'>;
export type RunRequest = Schemas['RunRequest'];
/** The outcome of one of many runs: `execution`, or why there is none. */
export type RunOutcome = Schemas['RunOutcomes']['outcomes'][number];
/** What has become of a run that was cancelled by its key. */
export type CancelledRun = Schemas['CancelledRun'];
/** The payload of a retry; of a run, which of its tasks run again. */
export type RetryRequest = Schemas['RetryRequest'];
/** What runs again of a task of a running run. */
export type TaskRetryRequest = Schemas['TaskRetryRequest'];
/** What is said about an approval. */
export type Decision = Schemas['ApprovalRequest'];
/** An approval, or a paused run. */
export type Waiting = Schemas['WaitingPage']['items'][number];
export type WaitingFilter = Omit<Query<'listWaiting'>, 'cursor'>;
/** A kept version of a job's workflow. Lists leave its tasks out. */
export type WorkflowVersion = Schemas['KeptVersion'];
/** A workflow to check, with values that its templates would get. */
export type WorkflowCheckRequest = Schemas['WorkflowCheckRequest'];
/** What is wrong with a workflow, or what its tasks would get. */
export type WorkflowCheck = Schemas['WorkflowCheck'];
/** Tasks that depend on tasks, as a job defines them. */
export type Workflow = NonNullable<JobDefinition['workflow']>;
/** Executions that a worker has claimed. */
export type ClaimedWork = Schemas['ClaimedWork'];
/** A claimed execution, and the token for its reports. */
export type Work = ClaimedWork['work'][number];
/** A work queue that jobs name, and how many executions wait in it. */
export type WorkQueue = Schemas['WorkQueuePage']['items'][number];
/** A work queue with the first executions that wait, and its workers. */
export type WorkQueueDetail = Schemas['WorkQueueDetail'];
/** A page of the log of an execution. */
export type LogPage = Schemas['LogPage'];
/** One line of a log. */
export type LogEntry = LogPage['items'][number];
export type TaskLogFilter = Query<'getTaskLog'>;
export type LogFilter = Query<'getExecutionLog'>;
export type UpcomingTimes = Schemas['Times']['times'];
export type Preview = Schemas['Preview'];
export type SigningSecret = Schemas['SigningSecret'];
export type PingKey = Schemas['PingKey'];
/** The URL to which the jobs of all monitors of the project ping. */
export type ProjectPingKey = Schemas['ProjectPingKey'];
export type ProjectPingKeyDefinition = Schemas['ProjectPingKeyRequest'];
/** The caller, its projects and rights, and the deployment. */
export type Me = Schemas['Me'];
/** What the project uses of each quota. */
export type Usage = Schemas['Usage'];
/** The version of the API, and what a client may ask for. */
export type ApiVersion = Schemas['ApiVersion'];
/** How a program signs a user in. */
export type SignIn = Schemas['SignIn'];

/** The body of PUT: what a calendar says. */
export type CalendarDefinition = Schemas['CalendarRequest'];
/** A calendar, and the jobs that use it. */
export type Calendar = Schemas['Calendar'];
/** A calendar after a change, and what became of its jobs. */
export type CalendarChange = Schemas['CalendarChange'];
/** A calendar without its content. */
export type CalendarSummary = Schemas['CalendarPage']['items'][number];

/** A secret of the project, without its value. */
export type Secret = Schemas['Secret'];
/** What tells of problems, and how. */
export type Notification = Schemas['Notification'];
/** A notification as its user defines it. */
export type NotificationDefinition = Schemas['NotificationRequest'];
/** The execution that delivers a test message. */
export type NotificationTest = Schemas['NotificationTest'];
/** Who made a change. */
export type Actor = NonNullable<Job['by']>;

/** A concurrency key, the executions that hold its slots, and the first that wait. */
export type ConcurrencyKey = Schemas['ConcurrencyKey'];
/** What a key lets run at a time, and how many executions it lets start in a period. */
export type ConcurrencyKeyDefinition = Schemas['ConcurrencyKeyRequest'];
/** An API key, without its secret. */
export type ApiKey = Schemas['ApiKeyPage']['items'][number];
/** A key that was just created: `key` is shown only once. */
export type NewApiKey = Schemas['NewApiKey'];
/** What a new key may do, and for how long. */
export type ApiKeyDefinition = Schemas['ApiKeyRequest'];
/** A change of the project's access, or a request that was denied. */
export type AuditRecord = Schemas['AuditPage']['items'][number];

/** The state of a deployment, for its operators. */
export type DeploymentStatus = Schemas['DeploymentStatus'];

/** A job without its payload, headers and policies, and with its newest executions. */
export type JobSummary = Schemas['JobSummary'];
/** How the executions of a job went. */
export type JobStats = Schemas['JobStats'];
/** Why a job ran, did not run, or will run at an instant. */
export type Explanation = Schemas['Explanation'];
/** The next due times over all jobs. */
export type UpcomingOfJobs = Schemas['UpcomingOfJobs'];
/** Planned occurrences by minute: `counts` has one for each minute from `from` on. */
export type Load = Omit<Schemas['Load'], 'nextCursor'>;

export type JobFilter = Omit<Query<'listJobs'>, 'cursor' | 'fields' | 'history'>;
/** `history`: how many of its newest executions each summary has, 0 to 20. */
export type JobSummaryFilter = Omit<Query<'listJobs'>, 'cursor' | 'fields'>;
export type UpcomingFilter = Query<'listUpcomingOfJobs'>;
export type Stats = Schemas['Stats'];
export type StatsFilter = Query<'getStats'>;
export type LoadFilter = Omit<Query<'getLoad'>, 'cursor'>;
export type ExecutionFilter = Omit<Query<'listExecutions'>, 'cursor'>;
export type FailureFilter = Omit<Query<'listFailures'>, 'cursor' | 'group'>;
/** Failures by cause. If `complete` is false, each `count` is a lower bound. */
export type FailureGroups = Schemas['FailureGroups'];
export type FailureAck = Schemas['FailureAck'];
export type FailureAckDefinition = Schemas['FailureAckRequest'];
/** An action, and the filter that selects what it is about. */
export type BulkRequest = Schemas['BulkRequest'];
export type BulkFilter = BulkRequest['filter'];
/** What one page of a bulk has done. */
export type BulkPage = Schemas['Bulk'];
/** A page of the executions of several jobs. `complete: false`: some may be missing from all pages. */
export type ExecutionsOfJobs = Schemas['ExecutionsOfJobs'];
export type ExecutionsOfJobsFilter = Omit<Query<'listExecutionsOfJobs'>, 'cursor'>;
export type AuditFilter = Omit<Query<'listAudit'>, 'cursor'>;
/** The outcome of one job of a batch: `job` if it was created, else `problem`. */
export type BatchOutcome = Schemas['BatchOutcomes']['outcomes'][number];
/** The outcomes that a batch would have. `usage`: what its jobs would add to the quotas. */
export type BatchDryRun = Schemas['BatchOutcomes'];
/** An ordering key: the execution that holds it, whether it is blocked, and the executions that wait. */
export type OrderingKey = Schemas['OrderingKey'];
/** An event, as it is sent. */
export type EventToSend = Schemas['EventBody'];
/** An event, and the executions that it starts. */
export type SentEvent = Schemas['Event'];
