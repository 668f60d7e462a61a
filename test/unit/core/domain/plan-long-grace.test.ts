import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../lambdas/core/clock/clock';
import { dueTimesOf } from '../../../../lambdas/core/domain/entry';
import { entryAfter, scheduleOf } from '../../../../lambdas/core/domain/entry-planning';
import type { Job } from '../../../../lambdas/core/domain/job';
import { catchUpPacer, planEntryAndNext, planResend } from '../../../../lambdas/core/domain/plan-entry';
import { aJob, T0_MS } from '../../../support/factories';

const HORIZON_MS = 3 * MINUTE_MS;
/** How far ahead a scanner may have passed a bucket: two minutes beyond the horizon, and the bucket. */
const SCANNED_MS = HORIZON_MS + 3 * MINUTE_MS;

const each = (overrides: Partial<Job> = {}): Job =>
  aJob({
    schedule: { type: 'interval', every: '1s', anchor: new Date(T0_MS).toISOString() },
    misfire: { policy: 'skip', grace: '24h', catchUpWindow: '1h' },
    ...overrides,
  });

function planOf(job: Job, nowMs: number, pacedFromMs = nowMs) {
  const schedule = scheduleOf(job);
  const entry = entryAfter(job, schedule, { afterMs: T0_MS - 1, runsBefore: 0, shard: 0, nowMs: 0 })!;
  const nextCatchUpMs = catchUpPacer(pacedFromMs);
  const plan = planEntryAndNext(entry, job, schedule, {
    nowMs,
    horizonMs: HORIZON_MS,
    shard: 5,
    nextCatchUpMs,
  });
  return { entry, plan, catchUps: plan.entries.filter(({ catchUp }) => catchUp) };
}

describe('a grace of a day, of a job that fires each second', () => {
  const job = each();
  const nowMs = T0_MS + 23 * HOUR_MS;
  const pacedFromMs = nowMs + SECOND_MS;
  const { entry, plan, catchUps } = planOf(job, nowMs, pacedFromMs);
  const missed = Array.from({ length: 23 * 3_600 + 1 }, (_, sec) => T0_MS + sec * SECOND_MS);

  test('each occurrence that fell due is named by one entry, and these are few', () => {
    const named = [entry, ...catchUps].flatMap((one) => dueTimesOf(one));
    expect(named).toEqual(missed);
    expect(catchUps.length).toBeLessThanOrEqual(1_000);
    expect(plan.next?.dueAtMs).toBe(nowMs + SECOND_MS);
  });

  test('each starts at an instant of its own, 50 ms apart', () => {
    const starts = catchUps
      .flatMap((one) => planResend(one, job).messages)
      .map(({ dueAtMs, startAtMs }) => [dueAtMs, startAtMs]);
    const own = dueTimesOf(entry).length;
    expect(starts).toEqual(missed.slice(own).map((dueAtMs, n) => [dueAtMs, pacedFromMs + n * 50]));
    expect(
      catchUps.every(({ checkAtMs }, index) => checkAtMs < (catchUps[index + 1]?.checkAtMs ?? Infinity)),
    ).toBe(true);
  });

  test('messages go out for what a scanner may have passed, and no others', () => {
    const lastMs = nowMs + SCANNED_MS;
    const starts = plan.messages.map(({ startAtMs }) => startAtMs);
    expect(Math.max(...starts)).toBeLessThan(lastMs);
    expect(plan.messages.length).toBeLessThan(SCANNED_MS / 50);
  });
});

test('work of a thousand missed occurrences waits for the next one each, and no longer than the last run', () => {
  const nowMs = T0_MS + 15 * MINUTE_MS;
  const anchor = new Date(T0_MS).toISOString();
  const schedule = { type: 'interval' as const, every: '1s', anchor, maxRuns: 15 * 60 + 10 };
  const job = each({ schedule, target: { type: 'worker', queue: 'media', heartbeatTimeout: '30s' } });
  const { plan } = planOf(job, nowMs);
  const waits = plan.messages.map(({ startAtMs, startWithinMs }) => [startAtMs, startWithinMs]);
  const lastMs = T0_MS + (schedule.maxRuns - 1) * SECOND_MS;
  expect(waits.length).toBeGreaterThan(900);
  expect(waits).toEqual(
    waits.map(([startAtMs]) => [startAtMs, startAtMs! < lastMs ? SECOND_MS : 24 * HOUR_MS]),
  );
});
