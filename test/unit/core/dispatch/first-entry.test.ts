import { MINUTE_MS } from '../../../../lambdas/core/clock/clock';
import { jobKeyOf, minuteOf } from '../../../../lambdas/core/contracts/tables';
import { ensurePendingEntry } from '../../../../lambdas/core/dispatch/first-entry';
import type { OccurrenceEntry } from '../../../../lambdas/core/domain/entry';
import type { Execution } from '../../../../lambdas/core/domain/execution';
import type { Job } from '../../../../lambdas/core/domain/job';
import { shardOf } from '../../../../lambdas/core/domain/shard';
import { aJob, anExecution, anOccurrenceEntry, T0_MS } from '../../../support/factories';
import { PipelineWorld } from '../../../support/pipeline-world';

const at = (minute: number) => T0_MS + minute * MINUTE_MS;

/** Fires each minute since T0, and runs all that it missed; all times in minutes since T0. */
const minutely = (overrides: Partial<Job> = {}): Job =>
  aJob({
    scheduleChangedAtMs: T0_MS,
    activeSinceMs: T0_MS,
    misfire: { policy: 'fire-all', grace: '60s', catchUpWindow: '1h' },
    ...overrides,
  });
const SHARDS = 16;
const shardAmong = (count: number) => shardOf(jobKeyOf(minutely()), count);
const entryAt = (minute: number, overrides: Partial<OccurrenceEntry> = {}) =>
  anOccurrenceEntry({ dueAtMs: at(minute), shard: shardAmong(SHARDS), ...overrides });

interface Found {
  /** What is written before, at minute 10. */
  entries?: OccurrenceEntry[];
  rows?: Execution[];
  job?: Partial<Job>;
  /** The job as it is in the table. */
  stored?: Partial<Job> | 'deleted';
  maintenance?: true;
  /** How far the scanner's cursor stands before the present, in minutes. Default: at its horizon. */
  scanBehindMin?: number;
}

async function ensure({
  entries = [],
  rows = [],
  job = {},
  stored = {},
  maintenance,
  scanBehindMin = -3,
}: Found) {
  const world = await PipelineWorld.started(SHARDS);
  await world.clock.advance(10 * MINUTE_MS);
  const { deps } = world;
  await deps.schedule.putEntries(entries);
  for (const row of rows) {
    if (row.fence === 0) await deps.ends.putEnded(row);
    else {
      const { jobKey, execId, dueAtMs, trigger } = row;
      await deps.executions.claim({
        jobKey,
        execId,
        dueAtMs,
        trigger,
        attempt: 1,
        claimId: 'c',
        nowMs: dueAtMs,
      });
    }
  }
  const audited = minutely(job);
  if (stored !== 'deleted') await deps.jobs.create({ ...audited, ...stored });
  const outcome = await ensurePendingEntry(audited, [4, 64], {
    ...deps,
    inMaintenance: async () => maintenance === true,
    schedule: {
      ...deps.schedule,
      readCursors: async (...[kind, shards]: Parameters<typeof deps.schedule.readCursors>) => {
        const cursors = await deps.schedule.readCursors(kind, shards);
        const minute = minuteOf(world.clock.nowMs()) - scanBehindMin;
        return new Map([...cursors].map(([shard, cursor]) => [shard, { ...cursor, minute }]));
      },
    },
  });
  return { outcome, sent: world.queue.messages.map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS) };
}

describe('a job has a pending entry', () => {
  test.each<[what: string, found: Found]>([
    ['under the active shard count', { entries: [entryAt(11)] }],
    ['under a shard count that was active once', { entries: [entryAt(11, { shard: shardAmong(64) })] }],
    [
      'of a change by a clock that is ahead',
      { job: { scheduleChangedAtMs: at(12) }, entries: [entryAt(13)] },
    ],
    ['or no occurrence is left', { job: { schedule: { type: 'at', at: new Date(at(1)).toISOString() } } }],
    ['or was changed meanwhile, which wrote one', { stored: { revision: 'revision-2' } }],
    ['or was paused meanwhile', { stored: { status: 'paused' } }],
    ['or was deleted meanwhile', { stored: 'deleted' }],
  ])('%s', async (_, found) => {
    expect(await ensure(found)).toEqual({ outcome: 'present', sent: [] });
  });
});

describe('a job has no pending entry', () => {
  const others = [
    entryAt(12),
    entryAt(11, { shard: 1 }),
    entryAt(11, { revision: 'revision-0' }),
    entryAt(11, { catchUp: true }),
  ];
  test('in maintenance mode nothing is repaired', async () => {
    expect(await ensure({ entries: others, maintenance: true })).toEqual({ outcome: 'missing', sent: [] });
  });

  test.each([0, 10, 29])(
    'a scanner that is %i minutes behind continues the series itself',
    async (behind) => {
      expect(await ensure({ scanBehindMin: behind })).toEqual({ outcome: 'awaits-scan', sent: [] });
    },
  );

  test.each([-1, 31])('a scanner that is %i minutes behind is not waited for', async (behind) => {
    expect((await ensure({ scanBehindMin: behind })).outcome).toBe('repaired');
  });

  test('the sweep of an entry that has come within the last minute continues the series', async () => {
    for (const shard of [shardAmong(SHARDS), shardAmong(64)])
      expect(await ensure({ entries: [entryAt(10, { shard })] })).toEqual({
        outcome: 'awaits-sweep',
        sent: [],
      });
  });

  const skipped = (from: number, to: number) =>
    anExecution({
      dueAtMs: at(from),
      status: 'skipped',
      skipped: { fromMs: at(from), toMs: at(to), count: to - from + 1 },
      finishedAtMs: at(to),
      fence: 0,
    });
  const cancelled = (minute: number) => anExecution({ dueAtMs: at(minute), status: 'cancelled', fence: 0 });
  const running = (minute: number) => anExecution({ dueAtMs: at(minute), status: 'running' });

  test.each<[what: string, found: Found, firstMinute: number]>([
    ['no record: from the change of the schedule', {}, 1],
    ['entries that are none of its next bucket', { entries: others }, 1],
    ['no record since it was resumed', { job: { activeSinceMs: at(3) } }, 4],
    ['no record since it was rescheduled', { job: { scheduleChangedAtMs: at(4) } }, 5],
    ['a claim of minute 5', { rows: [running(5)] }, 6],
    ['a skipped range through minute 7', { rows: [skipped(5, 7)] }, 8],
    ['an older record than the last change', { rows: [running(2)], job: { activeSinceMs: at(3) } }, 4],
    ['a cancel ahead of its time proves nothing', { rows: [running(5), cancelled(9)] }, 6],
    ['a record of the present minute', { rows: [running(10)] }, 11],
  ])('%s', async (_, found, firstMinute) => {
    const { outcome, sent } = await ensure(found);
    expect(outcome).toBe('repaired');
    expect(Math.min(...sent)).toBe(firstMinute);
    expect(new Set(sent)).toEqual(
      new Set(Array.from({ length: 15 - firstMinute }, (__, index) => firstMinute + index)),
    );
  });
});
