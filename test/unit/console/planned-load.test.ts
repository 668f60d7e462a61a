import fc from 'fast-check';

import { plannedDays } from '../../../console/planning/month-days';
import { quartersOf } from '../../../console/pages/today/figures';
import { isoDate, startOfDate } from '../../../console/time/format';
import type { ScheduleSpec } from '../../../lambdas/core/schedule/spec';
import { T0_MS } from '../../support/factories';
import { cron, interval } from '../../support/schedule-arbitrary';
import { ApiWorld } from '../api/world';

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
/** As many as the API answers at once. */
const MOST = 100;
const RUNS = { numRuns: 25 };

const schedule = fc.oneof(cron, interval);

/** Of instants: how many are in each step from `fromMs` on. */
function countsBy(stepMs: number, times: readonly number[], fromMs: number, length: number): number[] {
  const counts = Array.from({ length }, () => 0);
  for (const ms of times) {
    const at = Math.floor((ms - fromMs) / stepMs);
    if (at >= 0 && at < length) counts[at]!++;
  }
  return counts;
}

const instantsOf = ({ times }: { times: { at: string }[] }): number[] =>
  times.map(({ at }) => Date.parse(at));

test('what Today draws as planned is the sum of what the API lists as upcoming for each job', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(schedule, { minLength: 1, maxLength: 4 }), async (schedules) => {
      const world = new ApiWorld();
      const times: number[] = [];
      let toMs = T0_MS + 2 * DAY_MS;
      for (const [index, one] of schedules.entries()) {
        const jobId = `job-${index}`;
        const target = { type: 'http', url: 'https://example.com/x' };
        const { status } = await world.call('PUT /v1/jobs/{jobId}', { jobId }, { schedule: one, target });
        if (status !== 201) continue; // never due
        const { body } = await world.call('GET /v1/jobs/{jobId}/upcoming', { jobId }, undefined, {
          query: `count=${MOST}`,
        });
        const listed = instantsOf(body);
        times.push(...listed);
        if (listed.length === MOST) toMs = Math.min(toMs, listed.at(-1)!);
      }
      const length = Math.floor((toMs - T0_MS) / MINUTE_MS);
      const to = new Date(T0_MS + length * MINUTE_MS).toISOString();
      const { body } = await world.call('GET /v1/load', {}, undefined, {
        query: `from=${new Date(T0_MS).toISOString()}&to=${to}`,
      });
      const expected = countsBy(MINUTE_MS, times, T0_MS, length);
      expect(body.counts).toEqual(expected);

      const nowMs = T0_MS - 1;
      const quarters = quartersOf([], body.counts, { fromMs: T0_MS, toMs: Date.parse(to), nowMs });
      const drawn = times.filter((ms) => ms < Date.parse(to));
      expect(quarters.map(({ planned }) => planned)).toEqual(
        countsBy(15 * MINUTE_MS, drawn, T0_MS, Math.ceil(length / 15)),
      );
    }),
    RUNS,
  );
});

test('a month of the calendar has what the API previews, date by date', async () => {
  const world = new ApiWorld();
  const month = fc.integer({ min: 1, max: 12 }).map((number) => `2027-${String(number).padStart(2, '0')}`);
  await fc.assert(
    fc.asyncProperty(schedule, month, async (spec, shown) => {
      const { jitter: _, ...one } = spec as Exclude<ScheduleSpec, string> & { jitter?: string };
      const { timezone: zone = 'UTC' } = one as { timezone?: string };
      const from = new Date(startOfDate(`${shown}-01`, zone) - 1).toISOString();
      const asked = { schedule: one, from, count: MOST };
      const { status, body } = await world.call('POST /v1/schedules/preview', {}, asked);
      if (status !== 200) return;
      const times = instantsOf(body);
      const dates = times.map((ms) => isoDate(ms, zone));
      // The last date may have more than were answered.
      const whole = (date: string) => times.length < MOST || date < dates.at(-1)!;
      // An interval without an anchor begins with its definition, and in a preview with `from`.
      const context = { jobKey: 'alice/a', changedAtMs: Date.parse(from) };
      const days = plannedDays(one as never, shown, zone, context);
      expect(days.filter(({ date }) => whole(date)).map(({ date, planned }) => [date, planned])).toEqual(
        days.flatMap(({ date }) =>
          whole(date) ? [[date, dates.filter((other) => other === date).length]] : [],
        ),
      );
    }),
    RUNS,
  );
});
