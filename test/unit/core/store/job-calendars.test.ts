import { DECIDES_FOR_MS } from '../../../../lambdas/core/domain/calendar';
import { Calendar } from '../../../../lambdas/core/schedule/calendar';
import type { JobStore } from '../../../../lambdas/core/store/job-store';
import { withCalendars } from '../../../../lambdas/core/store/job-calendars';
import { aJob, T0_MS } from '../../../support/factories';

const calendar = new Calendar({ weekdays: [], dates: ['2026-12-25'], yearly: [] });

/** The earlier versions of a job whose row names these. The one that is named `gone` has expired. */
async function read(earlier: { version: string; untilMs: number }[]) {
  const row = aJob({
    calendars: [{ id: 'days', version: 'now', sinceMs: 0, earlier } as never],
  });
  const jobs = { get: async () => row } as unknown as JobStore;
  const calendars = {
    get: async () => undefined,
    calendarOf: async (_: unknown, version: string) => {
      if (version === 'gone') throw new Error('no version');
      return calendar;
    },
  };
  const job = await withCalendars(jobs, calendars, { nowMs: () => T0_MS }).get(row);
  return job!.calendars![0]!.earlier;
}

test('a job is read without the versions that decide no more, and may have expired', async () => {
  const oldestMs = T0_MS - DECIDES_FOR_MS;
  const earlier = [
    { version: 'gone', untilMs: oldestMs },
    { version: 'before', untilMs: oldestMs + 1 },
  ];
  expect((await read(earlier))!.map(({ version }) => version)).toEqual(['before']);
  expect(await read(earlier.slice(0, 1))).toBeUndefined();
  await expect(read([{ version: 'gone', untilMs: oldestMs + 1 }])).rejects.toThrow('no version');
});
