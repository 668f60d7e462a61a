import { isCheckDue } from '../../../lambdas/auditor/check-due';
import { aJob, T0_MS } from '../../support/factories';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const longAgo = { updatedAtMs: T0_MS - 90 * DAY_MS, activeSinceMs: T0_MS - 90 * DAY_MS };
/** 09:00 UTC each day. T0 is 08:30. */
const daily = aJob({ ...longAgo, schedule: { type: 'cron', expression: '0 9 * * *' } });
const onDay = (job: typeof daily, fromMs: number): number[] =>
  Array.from({ length: 144 }, (_, pass) => fromMs + pass * 600_000).filter((atMs) => isCheckDue(job, atMs));

test('a job that runs often is checked in each pass', () => {
  expect(onDay(aJob({ ...longAgo }), T0_MS)).toHaveLength(144);
});

test('a daily job is checked for two hours before and after its run, and once in the rest of the day', () => {
  const dueMs = T0_MS + HOUR_MS / 2;
  const checked = onDay(daily, dueMs - 12 * HOUR_MS);
  const near = checked.filter((atMs) => Math.abs(atMs - dueMs) <= 2 * HOUR_MS);
  expect(near).toHaveLength(24);
  expect(checked.length).toBeLessThanOrEqual(25);
});

test('a job is checked for two hours after a change, whatever it plans', () => {
  const yearly = { ...daily, schedule: { type: 'cron', expression: '0 0 1 1 *' } } as const;
  const noonMs = T0_MS + 4 * HOUR_MS;
  expect(onDay(yearly, noonMs)).toHaveLength(1);
  for (const change of [{ updatedAtMs: noonMs }, { activeSinceMs: noonMs }]) {
    const changed = onDay({ ...yearly, ...change }, noonMs);
    expect(changed.length).toBeGreaterThanOrEqual(12);
    expect(changed.length).toBeLessThanOrEqual(13);
  }
});

test('the daily checks of many jobs are spread over the day', () => {
  const jobs = Array.from({ length: 300 }, (_, index) => ({ ...daily, jobId: `job-${index}` }));
  const quietMs = T0_MS + 6 * HOUR_MS;
  const atOnce = jobs.filter((job) => isCheckDue(job, quietMs)).length;
  expect(atOnce).toBeLessThan(15);
});
