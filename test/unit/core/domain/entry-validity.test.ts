import { entryValidity, outdatedOccurrence } from '../../../../lambdas/core/domain/entry-validity';
import type { OccurrenceEntry } from '../../../../lambdas/core/domain/entry';
import type { Reason } from '../../../../lambdas/core/domain/reason';
import type { Job } from '../../../../lambdas/core/domain/job';
import { aJob, anOccurrenceEntry, T0_MS } from '../../../support/factories';

const paused = { status: 'paused' } as const;

describe('an entry of generation 2, revision b', () => {
  const entry: OccurrenceEntry = anOccurrenceEntry({ generation: 2, revision: 'b' });
  test.each<[what: string, job: Partial<Job> | undefined, validity: ReturnType<typeof entryValidity>]>([
    ['no job: not written yet, or deleted', undefined, 'unknown'],
    ['an older job: its write is under way', { generation: 1, revision: 'a' }, 'unknown'],
    ['an older job, paused', { generation: 1, revision: 'a', ...paused }, 'unknown'],
    ['its own job', { generation: 2, revision: 'b' }, 'current'],
    [
      'its own job after an edit that plans nothing anew',
      { generation: 2, revision: 'b', etag: 'c' },
      'current',
    ],
    ['its own revision, paused', { generation: 2, revision: 'b', ...paused }, 'outdated'],
    ['another write of the same generation', { generation: 2, revision: 'c' }, 'outdated'],
    ['a newer job', { generation: 3, revision: 'c' }, 'outdated'],
    ['a newer job, paused', { generation: 3, revision: 'c', ...paused }, 'outdated'],
    ['a newer generation, even of the same revision', { generation: 3, revision: 'b' }, 'outdated'],
  ])('%s → %s', (_, job, validity) => {
    expect(entryValidity(entry, job && aJob(job))).toBe(validity);
  });
});

describe('what becomes of an unclaimed occurrence of an outdated entry', () => {
  const HORIZON_MS = 180_000;
  const changedAtMs = T0_MS;
  const daily = { schedule: { type: 'cron', expression: '0 3 * * *' } } as const;
  const minutely = { schedule: { type: 'cron', expression: '* * * * *' } } as const;
  const rescheduled = { ...daily, scheduleChangedAtMs: changedAtMs, activeSinceMs: T0_MS - 60_000 };
  const resumed = { ...daily, scheduleChangedAtMs: T0_MS - 60_000, activeSinceMs: changedAtMs };
  const pausedThen = { ...minutely, ...paused, pausedAtMs: changedAtMs, updatedAtMs: T0_MS + 1 };
  const replanned = {
    ...minutely,
    scheduleChangedAtMs: T0_MS - 3_600_000,
    activeSinceMs: T0_MS - 3_600_000,
    replannedAtMs: changedAtMs,
  };
  type Outcome = Reason | 'replanned' | 'planned' | 'unsent';
  type Row = [what: string, job: Partial<Job> | undefined, dueAfterSec: number, outcome: Outcome];
  test.each<Row>([
    ['the job is gone', undefined, 3_600, 'deleted'],
    ['paused, due before', pausedThen, 0, 'paused'],
    ['paused, late to its policy by then', pausedThen, -3_600, 'misfire'],
    ['paused, at a time not recorded', { ...paused, updatedAtMs: T0_MS }, 0, 'paused'],
    ['paused, its message may be out', pausedThen, 360, 'paused'],
    [
      'paused until then, its message may be out',
      { ...pausedThen, resumeAtMs: T0_MS + 360_000 },
      360,
      'planned',
    ],
    [
      'paused until later, its message may be out',
      { ...pausedThen, resumeAtMs: T0_MS + 360_001 },
      360,
      'paused',
    ],
    ['paused, no message can be out', pausedThen, 420, 'unsent'],
    ['rescheduled, due before', rescheduled, 0, 'superseded'],
    ['rescheduled, its message may be out', rescheduled, 360, 'superseded'],
    ['rescheduled, no message can be out', rescheduled, 420, 'unsent'],
    ['rescheduled, and still planned', { ...rescheduled, ...minutely }, 60, 'planned'],
    ['rescheduled, planned no more often', { ...rescheduled, ...minutely }, 61, 'superseded'],
    ['resumed, due before', resumed, -1, 'superseded'],
    ['a calendar changed, still planned, due before', replanned, -60, 'replanned'],
    ['a calendar changed, still planned, due after', replanned, 60, 'planned'],
  ])('%s', (_, job, dueAfterSec, outcome) => {
    const dueAtMs = changedAtMs + dueAfterSec * 1_000;
    const found = outdatedOccurrence(dueAtMs, job && aJob(job), { horizonMs: HORIZON_MS });
    expect(found.is === 'skipped' ? found.reason : found.is).toBe(outcome);
  });
});
