import { NO_USAGE, plus, type Usage } from '../../../../lambdas/core/quotas/usage';
import { liveRunsOf } from '../../../../lambdas/core/store/live-runs';
import { RecordingLog } from '../../../support/recording-log';

/** One process, and the row that it shares with others. */
function processWith(allowed: number | undefined) {
  const log = new RecordingLog();
  const row = { stored: NO_USAGE, writes: 0, reads: 0, fails: false };
  const usage = {
    get: async () => {
      row.reads += 1;
      return row.stored;
    },
    add: async (_: string, change: Usage) => {
      row.writes += 1;
      if (row.fails) throw new Error('throttled');
      return (row.stored = plus(row.stored, change));
    },
  };
  return { row, log, runs: liveRunsOf(allowed, { usage, log }) };
}

test('a process writes once for each thousandth of the quota, and knows its own starts before', async () => {
  const { runs, row } = processWith(10_000);
  for (let run = 0; run < 9; run++) await runs.count('alice', 1);
  expect(row.writes).toBe(0);
  expect(await runs.room('alice')).toBe(9_991);
  expect(await runs.room('bob')).toBe(10_000);
  await runs.count('alice', 1);
  expect(row).toMatchObject({ writes: 1, stored: { liveRuns: 10 } });
  expect(await runs.room('alice')).toBe(9_990);
});

test('runs that start and end in one process cost nothing', async () => {
  const { runs, row } = processWith(10_000);
  for (let run = 0; run < 50; run++) {
    await runs.count('alice', 1);
    await runs.count('alice', -1);
  }
  expect(row.writes).toBe(0);
});

test('there is never less than no room, and a failed write fails no run', async () => {
  const { runs, row, log } = processWith(2);
  for (let run = 0; run < 3; run++) await runs.count('alice', 1);
  expect(await runs.room('alice')).toBe(0);
  row.fails = true;
  await runs.count('alice', -1);
  expect(log.messages('warn')).toEqual(['live runs are left to the count of the auditor']);
});

test('without a quota nothing is read or written', async () => {
  const { runs, row } = processWith(undefined);
  await runs.count('alice', 1);
  expect(await runs.room('alice')).toBe(Number.POSITIVE_INFINITY);
  expect(row).toMatchObject({ writes: 0, reads: 0 });
});
