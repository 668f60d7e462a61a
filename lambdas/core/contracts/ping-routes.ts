/** Paths of pings and badges, which a function of its own serves. The key in them proves the right. */
export const PING_PATHS = [
  '/p/{key}',
  '/p/{key}/{signal}',
  '/s/{projectKey}/{slug}',
  '/s/{projectKey}/{slug}/{signal}',
  '/badges/{file}',
] as const;

/** Where the function of pings asks for a monitor that a slug names. It passes the key on that it got. */
export const MONITORS_PATH = '/v1/ping-key/monitors';

/** The routes of the API that show and change the keys of pings, as part of `ROUTES`. */
export const PING_ROUTES = [
  { method: 'GET', path: '/v1/jobs/{jobId}/ping', operation: 'getPingKey', auth: 'jobs:write' },
  { method: 'POST', path: '/v1/jobs/{jobId}/ping/rotate', operation: 'rotatePingKey', auth: 'jobs:write' },
  { method: 'GET', path: '/v1/ping-key', operation: 'getProjectPingKey', auth: 'jobs:write' },
  { method: 'PUT', path: '/v1/ping-key', operation: 'putProjectPingKey', auth: 'project:admin' },
  { method: 'DELETE', path: '/v1/ping-key', operation: 'deleteProjectPingKey', auth: 'project:admin' },
  { method: 'POST', path: '/v1/ping-key/rotate', operation: 'rotateProjectPingKey', auth: 'jobs:write' },
  { method: 'POST', path: MONITORS_PATH, operation: 'provisionMonitor', auth: 'ping-key' },
] as const;
