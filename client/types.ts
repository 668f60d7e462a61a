import type { paths } from './schema';

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;
type Answer<Route, Status extends number> = Route extends { responses: infer All }
  ? Status extends keyof All
    ? Json<All[Status]>
    : never
  : never;
type Body<Route> = Route extends { requestBody?: infer Request } ? Json<NonNullable<Request>> : never;
type Query<Route> = Route extends { parameters: { query?: infer Parameters } }
  ? NonNullable<Parameters>
  : never;

/** What a job is made of: the body of POST and PUT. */
export type JobDefinition = Body<paths['/v1/jobs']['post']>;
export type Schedule = JobDefinition['schedule'];
/** What PATCH takes: a field that is left out stays, and null removes it. */
export type JobChanges = Body<paths['/v1/jobs/{jobId}']['patch']>;
/** A job as the API answers it. */
export type Job = Answer<paths['/v1/jobs/{jobId}']['get'], 200>;
/** With the ETag that its changes can be tied to: `{ ifMatch: job.etag }`. */
export type JobWithEtag = Job & { etag: string };
export type JobStatus = Job['status'];

export type Execution = Answer<paths['/v1/jobs/{jobId}/executions/{execId}']['get'], 200>;
export type ExecutionStatus = Execution['status'];
export type UpcomingTimes = Answer<paths['/v1/jobs/{jobId}/upcoming']['get'], 200>['times'];
export type Preview = Answer<paths['/v1/schedules/preview']['post'], 200>;
export type SigningSecret = Answer<paths['/v1/signing-secret']['get'], 200>;

export type JobFilter = Omit<Query<paths['/v1/jobs']['get']>, 'cursor'>;
export type ExecutionFilter = Omit<Query<paths['/v1/jobs/{jobId}/executions']['get']>, 'cursor'>;
export type FailureFilter = Omit<Query<paths['/v1/failures']['get']>, 'cursor'>;
/** Of one job of a batch: `job` where it was made, `problem` where it was not. */
export type BatchOutcome = Answer<paths['/v1/jobs/batch']['post'], 207>['outcomes'][number];
/** Who holds an ordering key, whether it is blocked, and who waits for it. */
export type OrderingKey = Answer<paths['/v1/ordering-keys']['get'], 200>;
