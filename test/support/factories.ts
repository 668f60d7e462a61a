import type { ExecutionMessage } from '../../lambdas/core/contracts/messages';
import { execIdOfOccurrence, jobKeyOf } from '../../lambdas/core/contracts/tables';
import type { AttemptEntry, OccurrenceEntry } from '../../lambdas/core/domain/entry';
import type { AttemptRecord, Execution } from '../../lambdas/core/domain/execution';
import type { Job } from '../../lambdas/core/domain/job';
import type { HttpTarget, Target } from '../../lambdas/core/domain/target';

/** The instant that all factories count from: FakeClock starts here too. */
export const T0_MS = Date.UTC(2026, 11, 1, 8, 30);

const USER_ID = 'alice';
const JOB_ID = 'nightly-report';
const JOB_KEY = jobKeyOf({ userId: USER_ID, jobId: JOB_ID });
const REVISION = 'revision-1';

/** An active job that fires each minute, with every default filled in. */
export function aJob(overrides: Partial<Job> = {}): Job & { target: Target } {
  return {
    userId: USER_ID,
    jobId: JOB_ID,
    schedule: { type: 'cron', expression: '* * * * *' },
    target: aTarget(),
    payload: { report: 7 },
    priority: 'medium',
    pool: 'default',
    retry: { maxAttempts: 3, initialDelay: '10s', maxDelay: '1h', multiplier: 2, maxAge: '24h' },
    misfire: { policy: 'fire-once', grace: '60s', catchUpWindow: '1h' },
    overlap: 'allow',
    orderingKey: null,
    onFailure: 'continue',
    timeout: '5m',
    tags: {},
    status: 'active',
    generation: 1,
    revision: REVISION,
    etag: 'etag-1',
    changeNumber: 1,
    createdAtMs: T0_MS - 3_600_000,
    updatedAtMs: T0_MS - 3_600_000,
    scheduleChangedAtMs: T0_MS - 3_600_000,
    activeSinceMs: T0_MS - 3_600_000,
    ...overrides,
  } as Job & { target: Target };
}

export const aTarget = (overrides: Partial<HttpTarget> = {}): HttpTarget => ({
  type: 'http',
  url: 'https://example.com/hook',
  method: 'POST',
  headers: {},
  timeout: '30s',
  ...overrides,
});

/** The execution of an occurrence due at T0, waiting for its first retry. */
export function anExecution(overrides: Partial<Execution> = {}): Execution {
  const dueAtMs = overrides.dueAtMs ?? T0_MS;
  return {
    jobKey: JOB_KEY,
    execId: execIdOfOccurrence(dueAtMs),
    trigger: 'schedule',
    dueAtMs,
    status: 'retrying',
    attempt: 2,
    failures: 1,
    takeovers: 0,
    fence: 1,
    startAtMs: dueAtMs + 10_000,
    startedAtMs: dueAtMs + 20,
    latenessMs: 20,
    attempts: [anAttempt({ startedAtMs: dueAtMs + 20, finishedAtMs: dueAtMs + 500 })],
    ...overrides,
  };
}

/** A first attempt that failed with a 503. */
export function anAttempt(overrides: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    attempt: 1,
    fence: 1,
    startedAtMs: T0_MS + 20,
    finishedAtMs: T0_MS + 500,
    outcome: 'retriable',
    target: 0,
    statusCode: 503,
    ...overrides,
  };
}

/** The entry of an occurrence due at T0, on shard 0. */
export function anOccurrenceEntry(overrides: Partial<OccurrenceEntry> = {}): OccurrenceEntry {
  const dueAtMs = overrides.dueAtMs ?? T0_MS;
  return {
    kind: 'occurrence',
    jobKey: JOB_KEY,
    shard: 0,
    checkAtMs: dueAtMs,
    generation: 1,
    revision: REVISION,
    dueAtMs,
    throughMs: dueAtMs,
    runsBefore: 0,
    ...overrides,
  };
}

/** The entry of the second attempt of the occurrence due at T0, on shard 0. */
export function anAttemptEntry(overrides: Partial<AttemptEntry> = {}): AttemptEntry {
  return {
    kind: 'attempt',
    jobKey: JOB_KEY,
    shard: 0,
    checkAtMs: T0_MS + 10_000,
    execId: execIdOfOccurrence(T0_MS),
    attempt: 2,
    ...overrides,
  };
}

/** The message of the first attempt of the occurrence due at T0. */
export function aMessage(overrides: Partial<ExecutionMessage> = {}): ExecutionMessage {
  const dueAtMs = overrides.dueAtMs ?? T0_MS;
  return {
    v: 1,
    jobKey: JOB_KEY,
    execId: execIdOfOccurrence(dueAtMs),
    dueAtMs,
    startAtMs: dueAtMs,
    attempt: 1,
    trigger: 'schedule',
    revision: REVISION,
    priority: 'medium',
    pool: 'default',
    ...overrides,
  };
}
