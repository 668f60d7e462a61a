import { entryValidity, lastChangeOf } from '../../../../lambdas/core/domain/entry-validity';
import type { OccurrenceEntry } from '../../../../lambdas/core/domain/entry';
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

describe('why occurrences of an outdated entry did not run', () => {
  const [earlierMs, laterMs] = [T0_MS - 60_000, T0_MS];
  type Change = ReturnType<typeof lastChangeOf>;
  test.each<[what: string, job: Partial<Job> | undefined, reason: Change['reason'], through: number]>([
    ['the job is gone: all of them', undefined, 'deleted', Number.POSITIVE_INFINITY],
    ['paused', { ...paused, pausedAtMs: earlierMs, updatedAtMs: laterMs }, 'paused', earlierMs],
    ['paused, at a time not recorded', { ...paused, updatedAtMs: laterMs }, 'paused', laterMs],
    ['rescheduled', { scheduleChangedAtMs: laterMs, activeSinceMs: earlierMs }, 'superseded', laterMs],
    ['resumed', { scheduleChangedAtMs: earlierMs, activeSinceMs: laterMs }, 'superseded', laterMs],
  ])('%s', (_, job, reason, changedAtMs) => {
    expect(lastChangeOf(job && aJob(job))).toEqual({ reason, changedAtMs });
  });
});
