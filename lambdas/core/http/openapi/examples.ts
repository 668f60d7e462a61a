/** Example bodies of the document. A test checks each against its schema. */

const definition = {
  name: 'Invoice reminder',
  schedule: { type: 'cron', expression: '30 9 * * MON-FRI', timezone: 'Europe/Berlin' },
  payload: { invoice: 42 },
  priority: 'medium',
  retry: {
    maxAttempts: 5,
    initialDelay: '10s',
    maxDelay: '1h',
    multiplier: 2,
    jitter: 'full',
    maxAge: '24h',
    on: [408, 425, 429, '5xx'],
  },
  timeout: '5m',
  tags: { team: 'billing' },
};

export const actor = { sub: 'alice', name: 'alice@example.com', via: 'token' };

/** The body of a request whose path names the job. */
export const namedJobBody = { ...definition, target: { type: 'http', url: 'https://example.com/hook' } };

export const jobBody = {
  jobId: 'invoice-reminder-42',
  ...definition,
  target: { type: 'http', url: 'https://example.com/hook' },
};

export const job = {
  jobId: 'invoice-reminder-42',
  ...definition,
  target: {
    type: 'http',
    url: 'https://example.com/hook',
    method: 'POST',
    headers: {},
    timeout: '30s',
    mode: 'sync',
  },
  templates: false,
  pool: 'default',
  misfire: { policy: 'fire-once', grace: '60s', catchUpWindow: '1h' },
  overlap: 'allow',
  orderingKey: null,
  onFailure: 'continue',
  status: 'active',
  generation: 1,
  createdAt: '2026-11-30T16:20:11.084Z',
  updatedAt: '2026-11-30T16:20:11.084Z',
  scheduleChangedAt: '2026-11-30T16:20:11.084Z',
  by: actor,
  changeNumber: 1,
  nextFireAt: '2026-12-02T08:30:00.000Z',
  lastExecution: {
    execId: '20261201T083000.000Z',
    status: 'succeeded',
    dueAt: '2026-12-01T08:30:00.000Z',
  },
};

export const pausedJob = {
  ...job,
  status: 'paused',
  generation: 2,
  changeNumber: 2,
  pausedUntil: '2026-12-24T08:00:00.000Z',
  nextFireAt: '2026-12-24T08:30:00.000Z',
};

export const execution = {
  jobId: 'invoice-reminder-42',
  execId: '20261201T083000.000Z',
  trigger: 'schedule',
  dueAt: '2026-12-01T08:30:00.000Z',
  status: 'succeeded',
  reason: null,
  skipped: null,
  latenessMs: 41,
  startedAt: '2026-12-01T08:30:00.041Z',
  finishedAt: '2026-12-01T08:30:00.312Z',
  heartbeatAt: '2026-12-01T08:30:00.041Z',
  nextAttemptAt: null as string | null,
  attempts: [
    {
      attempt: 1,
      fence: 1,
      startedAt: '2026-12-01T08:30:00.041Z',
      finishedAt: '2026-12-01T08:30:00.312Z',
      outcome: 'succeeded',
      target: 0,
      statusCode: 200,
      error: null,
    },
  ],
  targets: [{ index: 0, status: 'succeeded' }],
  result: { statusCode: 200, body: 'ok' },
  by: null as typeof actor | null,
  trace: {
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
    sampled: false,
    joined: false,
  },
};

/** A manual run that has not started: the response to `run`. */
export const waitingExecution = {
  ...execution,
  execId: '20261201T101502.118Z-5f0c2a71d9e84b36',
  trigger: 'manual',
  dueAt: '2026-12-01T10:15:02.118Z',
  status: 'queued',
  latenessMs: null,
  startedAt: null,
  finishedAt: null,
  heartbeatAt: null,
  attempts: [],
  targets: [{ index: 0, status: 'queued' }],
  result: null,
  by: actor,
};

export const cancelledExecution = {
  ...waitingExecution,
  status: 'cancelled',
  reason: 'cancelled-by-user',
  finishedAt: '2026-12-01T10:15:03.540Z',
  targets: [{ index: 0, status: 'cancelled' }],
  trace: null,
  detail: { by: actor, note: 'the invoice was paid' },
};

export const retryingExecution = {
  ...execution,
  status: 'retrying',
  by: actor,
  attempts: [
    { ...execution.attempts[0], outcome: 'retriable', statusCode: 503, error: 'target answered 503' },
  ],
  targets: [{ index: 0, status: 'retrying' }],
  finishedAt: null,
  nextAttemptAt: '2026-12-01T08:30:10.312Z',
  result: null,
};

const { lastExecution: _, ...listed } = job;
export const jobPage = { items: [listed], nextCursor: null };
export const executionPage = { items: [execution], nextCursor: null };

export const orderingKey = {
  orderingKey: 'customer/42',
  holder: { jobId: 'invoice-reminder-42', execId: '20261201T083000.000Z', status: 'failed' },
  blocked: true,
  waiting: [{ jobId: 'dunning-42', execId: '20261201T090000.000Z', dueAt: '2026-12-01T09:00:00.000Z' }],
};

export const failuresPage = {
  items: [
    {
      ...execution,
      status: 'failed',
      reason: 'attempts-exhausted',
      targets: [{ index: 0, status: 'failed' }],
      attempts: [
        { ...execution.attempts[0], outcome: 'retriable', statusCode: 503, error: 'target answered 503' },
      ],
      result: { statusCode: 503, body: 'down for maintenance' },
    },
  ],
  nextCursor: null,
};

export const times = {
  times: [
    { at: '2026-12-02T08:30:00.000Z', local: '2026-12-02T09:30:00+01:00' },
    { at: '2026-12-03T08:30:00.000Z', local: '2026-12-03T09:30:00+01:00' },
  ],
};
