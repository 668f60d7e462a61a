import type { CronSpec } from '../../../lambdas/core/schedule/spec';
import type { LogRecord, SimulationLog } from '../log';
import { clockChangeOf, clockChanges } from '../profiles/clock-changes';
import { simulate } from '../simulate';
import { storyOf } from '../story';
import { checkWallTimes } from './wall-times';

const SEED = 1;

/** The log of a run over a change of clocks. With `expression`: as if its jobs had had that one. */
async function logOf(expression?: string): Promise<SimulationLog> {
  const { log } = await simulate(clockChanges(SEED));
  const records = structuredClone(log.records) as LogRecord[];
  for (const record of records) {
    if (expression === undefined || record.src !== 'table' || record.type !== 'job' || !record.job) continue;
    const { timezone } = record.job.schedule as CronSpec;
    record.job.schedule = { type: 'cron', expression, timezone };
  }
  return { ...log, records };
}

const brokenBy = (log: SimulationLog): string[] => [
  ...new Set(checkWallTimes(storyOf(log)).map(({ invariant }) => invariant)),
];

test('the clocks of the zone change while the faults last', () => {
  const { zone, changeMs, startMs } = clockChangeOf(SEED);
  const { healMs } = clockChanges(SEED);
  const offset = (ms: number): string =>
    new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).format(ms);
  expect(offset(changeMs)).not.toBe(offset(changeMs - 1));
  expect(changeMs).toBeGreaterThan(startMs);
  expect(changeMs).toBeLessThan(startMs + healMs);
});

test('calls and records that do not fit the local times of the zone are named', async () => {
  expect(brokenBy(await logOf())).toEqual([]);
  expect(brokenBy(await logOf('7 5 * * *'))).toEqual(['ghost']);
  expect(brokenBy(await logOf('* * * * *'))).toContain('lost');
});

test('a task of a run is due when it is ready, and its run at the local time', async () => {
  const log = await logOf();
  const records = log.records.map((record) =>
    record.src === 'target' && record.type === 'begin'
      ? { ...record, execId: `${record.execId}/t0`, dueAtMs: record.dueAtMs + 150 }
      : record,
  );
  expect(brokenBy({ ...log, records })).not.toContain('ghost');
});
