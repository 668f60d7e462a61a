import type { Execution } from '../../../lambdas/core/domain/execution';
import type { JobVersion, Story } from '../story';
import { checkReasons } from './times';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DUE_MS = Date.parse('2026-12-01T12:00:00Z');
const jobKey = 'alice/a';
const misfire = { policy: 'fire-once', grace: '60s' };
const schedule = { type: 'cron', expression: '* * * * *' };
const defined = { userId: 'alice', jobId: 'a', schedule, misfire, createdAtMs: DUE_MS - 9 * HOUR_MS };
const active = { ...defined, status: 'active', activeSinceMs: DUE_MS - 8 * HOUR_MS };

/** An occurrence that was recorded as skipped for a pause, which began then. */
function brokenBy(pausedAtMs: number, given: Partial<Execution> = {}): string[] {
  const paused = { ...active, status: 'paused', pausedAtMs };
  const versions = [
    { fromMs: DUE_MS - 8 * HOUR_MS, untilMs: pausedAtMs, job: active },
    { fromMs: pausedAtMs, untilMs: Number.POSITIVE_INFINITY, job: paused },
  ] as unknown as JobVersion[];
  const execId = '20261201T120000.000Z';
  const row = { jobKey, execId, dueAtMs: DUE_MS, status: 'skipped', reason: 'paused', fence: 0, ...given };
  const story = {
    records: [],
    conditions: { skewMs: 0 },
    end: { executions: [row] },
    requests: [],
    states: new Map([[`${jobKey}#${execId}`, [{ t: DUE_MS + 10 * MINUTE_MS, execution: row }]]]),
    versions: new Map([[jobKey, versions]]),
  };
  return checkReasons(story as unknown as Story).map(({ invariant }) => invariant);
}

test('a pause is why what fell due since, or right before, did not run', () => {
  expect(brokenBy(DUE_MS - 1)).toEqual([]);
  expect(brokenBy(DUE_MS + MINUTE_MS)).toEqual([]);
});

test('a pause did not keep what an outage had missed long before it', () => {
  expect(brokenBy(DUE_MS + 5 * MINUTE_MS)).toEqual(['reason']);
});

test('what waited for its claim until the pause was kept by it', () => {
  expect(brokenBy(DUE_MS + 5 * MINUTE_MS, { fence: 1 })).toEqual([]);
  expect(brokenBy(DUE_MS + 5 * MINUTE_MS, { revision: 'of its message' })).toEqual([]);
});

test('a resume long ago says nothing of what was not paused since', () => {
  expect(brokenBy(DUE_MS + HOUR_MS)).toEqual(['reason']);
});
