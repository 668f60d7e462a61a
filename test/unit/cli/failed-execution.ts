import type { Execution } from '../../../client';

/** An execution as the API shows it after its attempts are exhausted. */
export const FAILED: Execution = {
  jobId: 'a',
  execId: '20261201T090000.000Z',
  trigger: 'schedule',
  dueAt: '2026-12-01T09:00:00.000Z',
  status: 'failed',
  reason: 'attempts-exhausted',
  skipped: null,
  latenessMs: 12,
  startedAt: '2026-12-01T09:00:00.012Z',
  finishedAt: '2026-12-01T09:00:01.000Z',
  heartbeatAt: null,
  nextAttemptAt: null,
  attempts: [],
  targets: [{ index: 0, status: 'failed' }],
  result: { statusCode: 503, body: 'try later' },
  by: null,
  trace: null,
};
