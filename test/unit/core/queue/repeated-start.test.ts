import { entryOfRepeat } from '../../../../lambdas/core/queue/repeated-start';
import type { AttemptEntry, Entry } from '../../../../lambdas/core/domain/entry';
import { FakeClock } from '../../../support/fake-clock';

const SECOND_MS = 1_000;

/** The entry of a repeat so long after the start. */
async function entryAfter(waitedMs: number, isWritten = false): Promise<AttemptEntry | undefined> {
  const clock = new FakeClock();
  const startAtMs = clock.nowMs() - waitedMs;
  const waiting = { jobKey: 'alice/a', execId: 'x', attempt: 1, userRetries: 2, startAtMs, dueAtMs: 0 };
  const hasEntry = async (_: Entry) => isWritten;
  const entry = await entryOfRepeat(waiting, {
    clock,
    schedule: { hasEntry } as never,
    shardCount: async () => 4,
  });
  return entry && { ...entry, checkAtMs: entry.checkAtMs - startAtMs };
}

const stepAfter = async (waitedSec: number) => (await entryAfter(waitedSec * SECOND_MS))?.checkAtMs;

describe('a repeated start', () => {
  it('files nothing while the recheck of the first entry is sure to come, whichever clock is ahead', async () => {
    expect(await entryAfter(-60 * SECOND_MS)).toBeUndefined();
    expect(await entryAfter(15 * SECOND_MS)).toBeUndefined();
    expect(await entryAfter(15 * SECOND_MS + 1)).toBeDefined();
  });

  it('files an entry for the sweeper alone, of the same user retry', async () => {
    expect(await entryAfter(30 * SECOND_MS)).toMatchObject({
      kind: 'attempt',
      execId: 'x',
      attempt: 1,
      userRetries: 2,
      rechecks: 0,
      checkAtMs: 60 * SECOND_MS,
    });
  });

  it('files it 1, 2, 4, 8 … minutes after the start, if a slow write still comes before that', async () => {
    expect(await stepAfter(50)).toBe(60 * SECOND_MS);
    expect(await stepAfter(51)).toBe(120 * SECOND_MS);
    expect(await stepAfter(110)).toBe(120 * SECOND_MS);
    expect(await stepAfter(111)).toBe(240 * SECOND_MS);
    expect(await stepAfter(62 * 86_400)).toBe(2 ** 17 * 60 * SECOND_MS);
  });

  it('files nothing that another repeat has written', async () => {
    expect(await entryAfter(30 * SECOND_MS, true)).toBeUndefined();
  });
});
