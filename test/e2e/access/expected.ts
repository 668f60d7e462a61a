import type { ApiRoute, Route } from '../../../lambdas/core/contracts/routes';

/** Roles and their scopes, as documented. Written out here, so that a change of the code's table fails. */
export const ROLES = {
  viewer: ['jobs:read'],
  approver: ['jobs:read', 'runs:approve'],
  worker: ['work'],
  operator: ['jobs:read', 'runs:operate'],
  editor: ['jobs:read', 'runs:operate', 'jobs:write', 'runs:approve', 'work'],
  owner: ['jobs:read', 'runs:operate', 'jobs:write', 'runs:approve', 'work', 'project:admin'],
} as const;
export type Role = keyof typeof ROLES;

export const SCOPES = [
  'jobs:read',
  'jobs:write',
  'runs:operate',
  'runs:approve',
  'work',
  'project:admin',
  'admin',
  'openid',
] as const;

/** What a route asks for: a scope, with `owner` for the role of that name, or who else may call it. */
type Line =
  | (typeof SCOPES)[number]
  | 'jobs:write owner'
  | 'any token'
  | 'no token'
  | 'an attempt'
  | 'a key for pings';

type RouteKey<One extends Pick<Route, 'method' | 'path'> = ApiRoute> = One extends Route
  ? `${One['method']} ${One['path']}`
  : never;

/** One line for each route. A route without one does not compile, and fails. */
export const LINES: Readonly<Record<RouteKey, Line>> = {
  'GET /v1/health': 'no token',
  'GET /v1/openapi.json': 'no token',
  'GET /v1/sign-in': 'no token',
  'GET /v1/version': 'no token',
  'GET /v1/problems/{kind}': 'no token',
  'GET /v1/me': 'any token',
  'GET /v1/usage': 'jobs:read',
  'POST /v1/jobs': 'jobs:write',
  'POST /v1/jobs/batch': 'jobs:write',
  'GET /v1/jobs': 'jobs:read',
  'GET /v1/jobs/{jobId}/executions/{execId}/tasks': 'jobs:read',
  'GET /v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}': 'jobs:read',
  'GET /v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/items': 'jobs:read',
  'GET /v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/items/{index}': 'jobs:read',
  'POST /v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/cancel': 'runs:operate',
  'POST /v1/workflows/check': 'jobs:read',
  'GET /v1/waiting': 'jobs:read',
  'POST /v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/retry': 'runs:operate',
  'POST /v1/jobs/{jobId}/executions/{execId}/pause': 'runs:operate',
  'POST /v1/jobs/{jobId}/executions/{execId}/resume': 'runs:operate',
  'POST /v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/skip': 'runs:operate',
  'POST /v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/approve': 'runs:approve',
  'POST /v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/reject': 'runs:approve',
  'GET /v1/jobs/{jobId}/versions': 'jobs:read',
  'GET /v1/jobs/{jobId}/versions/{version}': 'jobs:read',
  'GET /v1/jobs/{jobId}/stats': 'jobs:read',
  'GET /v1/jobs/{jobId}/explain': 'jobs:read',
  'GET /v1/load': 'jobs:read',
  'GET /v1/upcoming': 'jobs:read',
  'GET /v1/stats': 'jobs:read',
  'GET /v1/executions': 'jobs:read',
  'POST /v1/executions/lookup': 'jobs:read',
  'GET /v1/jobs/{jobId}': 'jobs:read',
  'PUT /v1/jobs/{jobId}': 'jobs:write',
  'PATCH /v1/jobs/{jobId}': 'jobs:write',
  'DELETE /v1/jobs/{jobId}': 'jobs:write',
  'POST /v1/jobs/{jobId}/pause': 'runs:operate',
  'POST /v1/jobs/{jobId}/resume': 'runs:operate',
  'POST /v1/jobs/{jobId}/run': 'runs:operate',
  'POST /v1/jobs/{jobId}/runs': 'runs:operate',
  'POST /v1/jobs/{jobId}/runs/cancel': 'runs:operate',
  'GET /v1/backfills': 'jobs:read',
  'POST /v1/jobs/{jobId}/backfills': 'jobs:write',
  'GET /v1/jobs/{jobId}/backfills': 'jobs:read',
  'GET /v1/jobs/{jobId}/backfills/{execId}': 'jobs:read',
  'POST /v1/events': 'runs:operate',
  'GET /v1/jobs/{jobId}/changes': 'jobs:read',
  'GET /v1/jobs/{jobId}/changes/{number}': 'jobs:read',
  'POST /v1/jobs/{jobId}/changes/{number}/restore': 'jobs:write',
  'DELETE /v1/jobs/{jobId}/changes/{number}': 'jobs:write owner',
  'GET /v1/jobs/{jobId}/upcoming': 'jobs:read',
  'GET /v1/jobs/{jobId}/ping': 'jobs:write',
  'POST /v1/jobs/{jobId}/ping/rotate': 'jobs:write',
  'GET /v1/ping-key': 'jobs:write',
  'PUT /v1/ping-key': 'project:admin',
  'DELETE /v1/ping-key': 'project:admin',
  'POST /v1/ping-key/rotate': 'jobs:write',
  'POST /v1/ping-key/monitors': 'a key for pings',
  'GET /v1/jobs/{jobId}/executions': 'jobs:read',
  'GET /v1/jobs/{jobId}/executions/{execId}': 'jobs:read',
  'POST /v1/jobs/{jobId}/executions/{execId}/cancel': 'runs:operate',
  'POST /v1/jobs/{jobId}/executions/{execId}/retry': 'runs:operate',
  'GET /v1/ordering-keys': 'jobs:read',
  'POST /v1/ordering-keys/unblock': 'runs:operate',
  'GET /v1/failures': 'jobs:read',
  'GET /v1/failures/acks': 'jobs:read',
  'PUT /v1/failures/acks': 'runs:operate',
  'DELETE /v1/failures/acks': 'runs:operate',
  'POST /v1/bulk': 'runs:operate',
  'POST /v1/attempts/heartbeat': 'an attempt',
  'POST /v1/attempts/complete': 'an attempt',
  'POST /v1/attempts/fail': 'an attempt',
  'POST /v1/attempts/log': 'an attempt',
  'POST /v1/work/claim': 'work',
  'POST /v1/work/release': 'an attempt',
  'GET /v1/work/queues': 'jobs:read',
  'GET /v1/work/queues/{queue}': 'jobs:read',
  'GET /v1/jobs/{jobId}/executions/{execId}/log': 'jobs:read',
  'GET /v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/log': 'jobs:read',
  'POST /v1/schedules/preview': 'jobs:read',
  'GET /v1/signing-secret': 'jobs:write owner',
  'POST /v1/signing-secret/rotate': 'jobs:write owner',
  'GET /v1/notifications': 'project:admin',
  'GET /v1/notifications/{id}': 'project:admin',
  'PUT /v1/notifications/{id}': 'project:admin',
  'DELETE /v1/notifications/{id}': 'project:admin',
  'POST /v1/notifications/{id}/test': 'project:admin',
  'GET /v1/concurrency-keys': 'jobs:read',
  'GET /v1/concurrency-keys/{key}': 'jobs:read',
  'PUT /v1/concurrency-keys/{key}': 'jobs:write',
  'DELETE /v1/concurrency-keys/{key}': 'jobs:write',
  'GET /v1/secrets': 'project:admin',
  'GET /v1/secrets/{name}': 'project:admin',
  'PUT /v1/secrets/{name}': 'project:admin',
  'DELETE /v1/secrets/{name}': 'project:admin',
  'POST /v1/api-keys': 'project:admin',
  'GET /v1/api-keys': 'project:admin',
  'DELETE /v1/api-keys': 'project:admin',
  'DELETE /v1/api-keys/{keyId}': 'project:admin',
  'GET /v1/calendars': 'jobs:read',
  'GET /v1/calendars/{calendarId}': 'jobs:read',
  'PUT /v1/calendars/{calendarId}': 'jobs:write',
  'DELETE /v1/calendars/{calendarId}': 'jobs:write',
  'GET /v1/audit': 'project:admin',
  'GET /v1/admin/status': 'admin',
  'POST /v1/admin/stop': 'admin',
  'POST /v1/admin/start': 'admin',
  'POST /v1/admin/redrive': 'admin',
};

/** The actions of a bulk, and what each asks for besides the line of the route. */
export const BULK_LINES = {
  pause: 'runs:operate',
  resume: 'runs:operate',
  run: 'runs:operate',
  retry: 'runs:operate',
  cancel: 'runs:operate',
  delete: 'jobs:write',
  patch: 'jobs:write',
} as const;

export interface Caller {
  role: Role;
  scopes: readonly string[];
  isKey?: boolean;
}

/** Whether a caller may use a route, from the line of the route and the documented rules alone. */
export const isAllowed = (routeKey: keyof typeof LINES, caller: Caller): boolean =>
  passesLine(LINES[routeKey], caller);

export function passesLine(line: Line, { role, scopes, isKey = false }: Caller): boolean {
  if (line === 'any token' || line === 'no token') return true;
  if (line === 'admin') return scopes.includes('admin');
  const [scope = '', owner] = line.split(' ');
  if (owner && role !== 'owner') return false;
  const implied = scopes.includes('jobs:write') ? ['runs:operate', ...(isKey ? [] : ['runs:approve'])] : [];
  return (ROLES[role] as readonly string[]).includes(scope) && [...scopes, ...implied].includes(scope);
}
