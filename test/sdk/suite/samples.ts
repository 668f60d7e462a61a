/** A job as the API gives it. */
export const JOB = {
  jobId: 'nightly',
  schedule: { type: 'cron', expression: '30 2 * * *', timezone: 'Europe/Berlin' },
  target: {
    type: 'http',
    url: 'https://shop.example/hook',
    method: 'POST',
    headers: { 'x-team': 'shop' },
    timeout: '30s',
    mode: 'sync',
  },
  payload: { orderId: 'A-1' },
  templates: false,
  priority: 'medium',
  pool: 'default',
  retry: {
    maxAttempts: 3,
    initialDelay: '10s',
    maxDelay: '1h',
    multiplier: 2,
    jitter: 'full',
    maxAge: '24h',
    on: [408, 425, 429, '5xx'],
  },
  misfire: { policy: 'fire-once', grace: '60s', catchUpWindow: '24h' },
  overlap: 'allow',
  orderingKey: null,
  onFailure: 'continue',
  timeout: '5m',
  tags: {},
  status: 'active',
  generation: 1,
  createdAt: '2026-12-01T08:30:00.000Z',
  updatedAt: '2026-12-01T08:30:00.000Z',
  scheduleChangedAt: '2026-12-01T08:30:00.000Z',
  by: { sub: 'alice', name: null, via: 'token' },
  changeNumber: 1,
  nextFireAt: '2026-12-02T01:30:00.000Z',
};

/** An execution as the API gives it. */
export const EXECUTION = {
  jobId: 'nightly',
  execId: '20261201T013000.000Z',
  trigger: 'schedule',
  dueAt: '2026-12-01T01:30:00.000Z',
  status: 'succeeded',
  reason: null,
  skipped: null,
  latenessMs: 12,
  startedAt: '2026-12-01T01:30:00.012Z',
  finishedAt: '2026-12-01T01:30:00.400Z',
  heartbeatAt: null,
  nextAttemptAt: null,
  attempts: [],
  targets: [],
  result: { statusCode: 200, body: 'thanks' },
  trace: null,
  by: null,
};

/** A problem as the API gives it. */
export const problem = (status: number, more: object = {}) => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'quarterjack-request-id': 'request-1' },
  body: {
    type: `https://quarterjack.dev/problems/kind-${status}`,
    title: 'Not so',
    status,
    detail: `what is wrong with ${status}`,
    ...more,
  },
});
