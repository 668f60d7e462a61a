import { execution } from './examples';

export const extract = {
  taskId: 'extract',
  kind: 'call',
  status: 'succeeded',
  reason: null,
  nextAttemptAt: null,
  because: [],
  dependsOn: [],
  round: 1,
  startedAt: '2026-12-01T01:00:00.120Z',
  finishedAt: '2026-12-01T01:00:04.310Z',
  attempts: 1,
  result: { statusCode: 200, body: 'ok' },
};

export const load = {
  ...extract,
  taskId: 'load',
  status: 'running',
  dependsOn: ['extract'],
  startedAt: '2026-12-01T01:00:04.360Z',
  finishedAt: null,
  attempts: 0,
  result: null,
};

export const item = {
  index: 0,
  item: 'orders-1.csv',
  status: 'succeeded',
  reason: null,
  round: 1,
  startedAt: '2026-12-01T01:00:00.131Z',
  finishedAt: '2026-12-01T01:00:04.305Z',
  attempts: 1,
  result: { statusCode: 200, body: 'ok' },
};

export const attempt = {
  attempt: 1,
  fence: 1,
  startedAt: '2026-12-01T01:00:00.131Z',
  finishedAt: '2026-12-01T01:00:04.305Z',
  outcome: 'succeeded',
  target: 0,
  statusCode: 200,
  error: null,
};

export const version = {
  version: 'k3J9xQ2m1pZr8sT0vWyA1B',
  number: 12,
  savedAt: '2026-11-30T16:20:11.084Z',
  isCurrent: true,
};

export const workflow = {
  onTaskFailure: 'continue',
  tasks: {
    extract: {
      dependsOn: [],
      join: 'all',
      allowFailure: false,
      enabled: true,
      target: {
        type: 'http',
        url: 'https://etl.example.com/extract',
        method: 'POST',
        headers: {},
        timeout: '30s',
        mode: 'sync',
      },
      input: { day: '{{ run.day }}' },
    },
  },
};

export const approved = {
  ...extract,
  taskId: 'release',
  kind: 'approval',
  startedAt: null,
  attempts: 0,
  result: null,
  attemptList: [],
  heartbeatAt: null,
  decided: {
    by: { sub: 'alice', name: 'alice@example.com', via: 'token' },
    at: '2026-12-01T08:20:00.000Z',
    comment: 'checked',
  },
};

export const runningRun = {
  ...execution,
  status: 'running',
  finishedAt: null,
  result: null,
  workflow: {
    version: 'k3J9xQ2m1pZr8sT0vWyA1B',
    number: 12,
    phase: 'running',
    heldAt: null,
    startedAt: '2026-12-01T01:00:00.110Z',
    endsAt: '2026-12-01T07:00:00.110Z',
    stopping: null,
    moves: 3,
  },
};
export const heldRun = {
  ...runningRun,
  workflow: { ...runningRun.workflow, phase: 'held', heldAt: '2026-12-01T01:04:00.000Z' },
};
