import { WriteTimeoutError } from '../../../../lambdas/core/errors';
import { withEntryDeadline } from '../../../../lambdas/core/store/entry-deadline';
import type { ScheduleStore } from '../../../../lambdas/core/store/schedule-store';
import { anOccurrenceEntry, T0_MS } from '../../../support/factories';

/** Writes entries of these times, in seconds since T0. Returns the time that the store gets for each call. */
async function write(times: readonly number[], nowSec: number, withinMs?: number): Promise<unknown[]> {
  const given: unknown[] = [];
  const store = { putEntries: async (_: unknown, within?: number) => void given.push(within) };
  const clock = { nowMs: () => T0_MS + nowSec * 1_000 };
  const entries = times.map((sec) => anOccurrenceEntry({ checkAtMs: T0_MS + sec * 1_000 }));
  await withEntryDeadline(store as unknown as ScheduleStore, clock).putEntries(entries, withinMs);
  return given;
}

test.each<[what: string, times: number[], nowSec: number, withinMs: number | undefined, leftMs: number]>([
  ['written at its time', [0], 0, undefined, 10_000],
  ['that lies ahead', [300], 0, undefined, 10_000],
  ['stamped 4 s ago', [0], 4, undefined, 6_000],
  ['stamped 4 s ago, whose writer allows 3 s', [0], 4, 3_000, 3_000],
  ['stamped 4 s ago, whose writer allows 8 s', [0], 4, 8_000, 6_000],
  ['of a batch: the first one counts', [2, 0, 300], 4, undefined, 6_000],
])('an entry %s', async (_, times, nowSec, withinMs, leftMs) => {
  expect(await write(times, nowSec, withinMs)).toEqual([leftMs]);
});

test.each([
  ['one entry', [0]],
  ['one of several', [300, 0]],
])('%s that was stamped ten seconds ago is not written', async (_, times) => {
  await expect(write(times, 10)).rejects.toThrow(WriteTimeoutError);
});
