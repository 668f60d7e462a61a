import { BULK_SCOPES } from './bulk';
import { PING_ROUTES } from './ping-routes';
import { type ProjectScope, type Role, roleHas, ROLES, type Scope } from './roles';

/** One route of the HTTP API. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** API Gateway's spelling: `{name}` is one path segment. */
  path: string;
  operation: string;
  /**
   * What the request has to prove: a scope that both its token and its role in the project have.
   *
   * - `admin` belongs to no project.
   * - `token`: any valid token, with or without a project.
   * - Routes with `none`, `attempt` and `ping-key` have no authorizer. Those with `none` tell nothing about
   *   any project. The others take the token of an attempt, or a key for pings. The function checks it.
   */
  auth: 'none' | 'attempt' | 'ping-key' | 'token' | Scope;
  /** Besides the scope, the request needs the role `owner`. */
  ownerOnly?: true;
  /** What each action needs, if the body names one. `auth` is then the least of them. */
  scopeOfAction?: Readonly<Record<string, ProjectScope>>;
}

/** The route that a function of its own serves: its requests may wait for seconds. */
export const CLAIM_PATH = '/v1/work/claim';

/**
 * Every route. `lib/` makes the API Gateway routes from it, and `lambdas/api` dispatches by it. A new route
 * does not compile before it has an operation (`lambdas/api/operations.ts`) and its part of the OpenAPI
 * document (`core/http/openapi/`).
 */
export const ROUTES = [
  { method: 'GET', path: '/v1/health', operation: 'getHealth', auth: 'none' },
  { method: 'GET', path: '/v1/openapi.json', operation: 'getOpenApi', auth: 'none' },
  { method: 'GET', path: '/v1/sign-in', operation: 'getSignIn', auth: 'none' },
  { method: 'GET', path: '/v1/version', operation: 'getApiVersion', auth: 'none' },
  { method: 'GET', path: '/v1/problems/{kind}', operation: 'getProblem', auth: 'none' },
  { method: 'GET', path: '/v1/me', operation: 'getMe', auth: 'token' },
  { method: 'GET', path: '/v1/usage', operation: 'getUsage', auth: 'jobs:read' },
  { method: 'POST', path: '/v1/jobs', operation: 'createJob', auth: 'jobs:write' },
  { method: 'POST', path: '/v1/jobs/batch', operation: 'createJobs', auth: 'jobs:write' },
  { method: 'GET', path: '/v1/jobs', operation: 'listJobs', auth: 'jobs:read' },
  { method: 'GET', path: '/v1/jobs/{jobId}', operation: 'getJob', auth: 'jobs:read' },
  { method: 'PUT', path: '/v1/jobs/{jobId}', operation: 'putJob', auth: 'jobs:write' },
  { method: 'PATCH', path: '/v1/jobs/{jobId}', operation: 'patchJob', auth: 'jobs:write' },
  { method: 'DELETE', path: '/v1/jobs/{jobId}', operation: 'deleteJob', auth: 'jobs:write' },
  { method: 'POST', path: '/v1/jobs/{jobId}/pause', operation: 'pauseJob', auth: 'runs:operate' },
  { method: 'POST', path: '/v1/jobs/{jobId}/resume', operation: 'resumeJob', auth: 'runs:operate' },
  { method: 'POST', path: '/v1/jobs/{jobId}/run', operation: 'runJob', auth: 'runs:operate' },
  { method: 'POST', path: '/v1/jobs/{jobId}/runs', operation: 'runJobMany', auth: 'runs:operate' },
  {
    method: 'POST',
    path: '/v1/jobs/{jobId}/runs/cancel',
    operation: 'cancelKeyedRun',
    auth: 'runs:operate',
  },
  { method: 'GET', path: '/v1/jobs/{jobId}/upcoming', operation: 'listUpcoming', auth: 'jobs:read' },
  { method: 'GET', path: '/v1/jobs/{jobId}/changes', operation: 'listJobChanges', auth: 'jobs:read' },
  { method: 'GET', path: '/v1/jobs/{jobId}/changes/{number}', operation: 'getJobChange', auth: 'jobs:read' },
  {
    method: 'POST',
    path: '/v1/jobs/{jobId}/changes/{number}/restore',
    operation: 'restoreJob',
    auth: 'jobs:write',
  },
  {
    method: 'DELETE',
    path: '/v1/jobs/{jobId}/changes/{number}',
    operation: 'deleteJobChange',
    auth: 'jobs:write',
    ownerOnly: true,
  },
  ...PING_ROUTES,
  { method: 'GET', path: '/v1/jobs/{jobId}/executions', operation: 'listExecutions', auth: 'jobs:read' },
  {
    method: 'GET',
    path: '/v1/jobs/{jobId}/executions/{execId}',
    operation: 'getExecution',
    auth: 'jobs:read',
  },
  {
    method: 'POST',
    path: '/v1/jobs/{jobId}/executions/{execId}/cancel',
    operation: 'cancelExecution',
    auth: 'runs:operate',
  },
  {
    method: 'POST',
    path: '/v1/jobs/{jobId}/executions/{execId}/retry',
    operation: 'retryExecution',
    auth: 'runs:operate',
  },
  {
    method: 'GET',
    path: '/v1/jobs/{jobId}/executions/{execId}/log',
    operation: 'getExecutionLog',
    auth: 'jobs:read',
  },
  {
    method: 'GET',
    path: '/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/log',
    operation: 'getTaskLog',
    auth: 'jobs:read',
  },
  {
    method: 'GET',
    path: '/v1/jobs/{jobId}/executions/{execId}/tasks',
    operation: 'listTasks',
    auth: 'jobs:read',
  },
  {
    method: 'GET',
    path: '/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}',
    operation: 'getTask',
    auth: 'jobs:read',
  },
  {
    method: 'GET',
    path: '/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/items',
    operation: 'listItems',
    auth: 'jobs:read',
  },
  {
    method: 'GET',
    path: '/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/items/{index}',
    operation: 'getItem',
    auth: 'jobs:read',
  },
  {
    method: 'POST',
    path: '/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/cancel',
    operation: 'cancelTask',
    auth: 'runs:operate',
  },
  {
    method: 'POST',
    path: '/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/retry',
    operation: 'retryTask',
    auth: 'runs:operate',
  },
  {
    method: 'POST',
    path: '/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/skip',
    operation: 'skipTask',
    auth: 'runs:operate',
  },
  {
    method: 'POST',
    path: '/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/approve',
    operation: 'approveTask',
    auth: 'runs:approve',
  },
  {
    method: 'POST',
    path: '/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/reject',
    operation: 'rejectTask',
    auth: 'runs:approve',
  },
  {
    method: 'POST',
    path: '/v1/jobs/{jobId}/executions/{execId}/pause',
    operation: 'pauseRun',
    auth: 'runs:operate',
  },
  {
    method: 'POST',
    path: '/v1/jobs/{jobId}/executions/{execId}/resume',
    operation: 'resumeRun',
    auth: 'runs:operate',
  },
  { method: 'POST', path: '/v1/jobs/{jobId}/backfills', operation: 'startBackfill', auth: 'jobs:write' },
  { method: 'GET', path: '/v1/jobs/{jobId}/backfills', operation: 'listBackfills', auth: 'jobs:read' },
  { method: 'GET', path: '/v1/jobs/{jobId}/backfills/{execId}', operation: 'getBackfill', auth: 'jobs:read' },
  { method: 'GET', path: '/v1/backfills', operation: 'listAllBackfills', auth: 'jobs:read' },
  { method: 'GET', path: '/v1/waiting', operation: 'listWaiting', auth: 'jobs:read' },
  { method: 'GET', path: '/v1/jobs/{jobId}/versions', operation: 'listVersions', auth: 'jobs:read' },
  { method: 'GET', path: '/v1/jobs/{jobId}/versions/{version}', operation: 'getVersion', auth: 'jobs:read' },
  { method: 'GET', path: '/v1/jobs/{jobId}/stats', operation: 'getJobStats', auth: 'jobs:read' },
  { method: 'GET', path: '/v1/jobs/{jobId}/explain', operation: 'explainOccurrence', auth: 'jobs:read' },
  { method: 'GET', path: '/v1/executions', operation: 'listExecutionsOfJobs', auth: 'jobs:read' },
  { method: 'GET', path: '/v1/stats', operation: 'getStats', auth: 'jobs:read' },
  { method: 'POST', path: '/v1/executions/lookup', operation: 'lookupExecutions', auth: 'jobs:read' },
  { method: 'GET', path: '/v1/upcoming', operation: 'listUpcomingOfJobs', auth: 'jobs:read' },
  { method: 'GET', path: '/v1/load', operation: 'getLoad', auth: 'jobs:read' },
  { method: 'GET', path: '/v1/ordering-keys', operation: 'getOrderingKey', auth: 'jobs:read' },
  {
    method: 'POST',
    path: '/v1/ordering-keys/unblock',
    operation: 'unblockOrderingKey',
    auth: 'runs:operate',
  },
  { method: 'POST', path: '/v1/events', operation: 'sendEvent', auth: 'runs:operate' },
  { method: 'GET', path: '/v1/failures', operation: 'listFailures', auth: 'jobs:read' },
  { method: 'GET', path: '/v1/failures/acks', operation: 'listFailureAcks', auth: 'jobs:read' },
  { method: 'PUT', path: '/v1/failures/acks', operation: 'putFailureAck', auth: 'runs:operate' },
  { method: 'DELETE', path: '/v1/failures/acks', operation: 'deleteFailureAck', auth: 'runs:operate' },
  {
    method: 'POST',
    path: '/v1/bulk',
    operation: 'bulk',
    auth: 'runs:operate',
    scopeOfAction: BULK_SCOPES,
  },
  { method: 'POST', path: '/v1/attempts/heartbeat', operation: 'heartbeatAttempt', auth: 'attempt' },
  { method: 'POST', path: '/v1/attempts/complete', operation: 'completeAttempt', auth: 'attempt' },
  { method: 'POST', path: '/v1/attempts/fail', operation: 'failAttempt', auth: 'attempt' },
  { method: 'POST', path: '/v1/attempts/log', operation: 'appendLog', auth: 'attempt' },
  { method: 'POST', path: CLAIM_PATH, operation: 'claimWork', auth: 'work' },
  { method: 'POST', path: '/v1/work/release', operation: 'releaseWork', auth: 'attempt' },
  { method: 'GET', path: '/v1/work/queues', operation: 'listWorkQueues', auth: 'jobs:read' },
  { method: 'GET', path: '/v1/work/queues/{queue}', operation: 'getWorkQueue', auth: 'jobs:read' },
  { method: 'POST', path: '/v1/workflows/check', operation: 'checkWorkflow', auth: 'jobs:read' },
  { method: 'POST', path: '/v1/schedules/preview', operation: 'previewSchedule', auth: 'jobs:read' },
  // not jobs:read: the secret lets its reader forge deliveries that the user's targets trust
  {
    method: 'GET',
    path: '/v1/signing-secret',
    operation: 'getSigningSecret',
    auth: 'jobs:write',
    ownerOnly: true,
  },
  {
    method: 'POST',
    path: '/v1/signing-secret/rotate',
    operation: 'rotateSigningSecret',
    auth: 'jobs:write',
    ownerOnly: true,
  },
  { method: 'GET', path: '/v1/concurrency-keys', operation: 'listConcurrencyKeys', auth: 'jobs:read' },
  { method: 'GET', path: '/v1/concurrency-keys/{key}', operation: 'getConcurrencyKey', auth: 'jobs:read' },
  { method: 'PUT', path: '/v1/concurrency-keys/{key}', operation: 'putConcurrencyKey', auth: 'jobs:write' },
  {
    method: 'DELETE',
    path: '/v1/concurrency-keys/{key}',
    operation: 'deleteConcurrencyKey',
    auth: 'jobs:write',
  },
  { method: 'GET', path: '/v1/secrets', operation: 'listSecrets', auth: 'project:admin' },
  { method: 'GET', path: '/v1/secrets/{name}', operation: 'getSecret', auth: 'project:admin' },
  { method: 'PUT', path: '/v1/secrets/{name}', operation: 'putSecret', auth: 'project:admin' },
  { method: 'DELETE', path: '/v1/secrets/{name}', operation: 'deleteSecret', auth: 'project:admin' },
  { method: 'GET', path: '/v1/calendars', operation: 'listCalendars', auth: 'jobs:read' },
  { method: 'GET', path: '/v1/calendars/{calendarId}', operation: 'getCalendar', auth: 'jobs:read' },
  { method: 'PUT', path: '/v1/calendars/{calendarId}', operation: 'putCalendar', auth: 'jobs:write' },
  { method: 'DELETE', path: '/v1/calendars/{calendarId}', operation: 'deleteCalendar', auth: 'jobs:write' },
  {
    method: 'GET',
    path: '/v1/notifications',
    operation: 'listNotifications',
    auth: 'project:admin',
  },
  { method: 'GET', path: '/v1/notifications/{id}', operation: 'getNotification', auth: 'project:admin' },
  { method: 'PUT', path: '/v1/notifications/{id}', operation: 'putNotification', auth: 'project:admin' },
  {
    method: 'DELETE',
    path: '/v1/notifications/{id}',
    operation: 'deleteNotification',
    auth: 'project:admin',
  },
  {
    method: 'POST',
    path: '/v1/notifications/{id}/test',
    operation: 'testNotification',
    auth: 'project:admin',
  },
  { method: 'POST', path: '/v1/api-keys', operation: 'createApiKey', auth: 'project:admin' },
  { method: 'GET', path: '/v1/api-keys', operation: 'listApiKeys', auth: 'project:admin' },
  { method: 'DELETE', path: '/v1/api-keys', operation: 'revokeApiKeys', auth: 'project:admin' },
  { method: 'DELETE', path: '/v1/api-keys/{keyId}', operation: 'revokeApiKey', auth: 'project:admin' },
  { method: 'GET', path: '/v1/audit', operation: 'listAudit', auth: 'project:admin' },
  { method: 'GET', path: '/v1/admin/status', operation: 'getStatus', auth: 'admin' },
  { method: 'POST', path: '/v1/admin/stop', operation: 'stopDeployment', auth: 'admin' },
  { method: 'POST', path: '/v1/admin/start', operation: 'startDeployment', auth: 'admin' },
  { method: 'POST', path: '/v1/admin/redrive', operation: 'redriveQueue', auth: 'admin' },
] as const satisfies readonly Route[];

/** Whether a route has no authorizer. */
export const isPublic = (auth: Route['auth']): boolean => ['none', 'attempt', 'ping-key'].includes(auth);

/** The scope that a route needs within a project; undefined for a route outside projects. */
export const projectScopeOf = ({ auth }: Route): ProjectScope | undefined =>
  auth === 'none' || auth === 'attempt' || auth === 'ping-key' || auth === 'token' || auth === 'admin'
    ? undefined
    : auth;

/** The roles that may use a route, from the lowest to the highest; empty for a route outside projects. */
export function rolesFor(route: Route): Role[] {
  const scope = projectScopeOf(route);
  if (scope === undefined) return [];
  return ROLES.filter((role) => (route.ownerOnly ? role === 'owner' : roleHas(role, scope)));
}

/** Base path of the routes that take the reports of targets. */
export const ATTEMPTS_PATH = '/v1/attempts';

export type ApiRoute = (typeof ROUTES)[number];
export type Operation = ApiRoute['operation'];
