import { FakeRandom } from '../../../../../support/fake-random';
import {
  type Play,
  play,
  problemAfter,
  randomLatency,
  readBack,
} from '../../../../../support/local/journal-play';
import { type OperationKind, SimulatedDisk } from '../../../../../support/local/simulated-disk';

const SEED = 7;
const CHANGES = 40;
/** Those of an empty folder, before the journal is open. */
const OPERATIONS_TO_OPEN = 4;

/** Plays the same changes each time, up to the operation that fails. */
async function playWithFailure(
  failsAt: number | undefined,
): Promise<{ disk: SimulatedDisk; played: Play; kinds: OperationKind[] }> {
  const random = new FakeRandom(SEED);
  const disk = new SimulatedDisk(random);
  const kinds: OperationKind[] = [];
  disk.failsAt = failsAt;
  disk.latency = randomLatency(random);
  disk.onOperation = (kind, _, number) => (kinds[number] = kind);
  return { disk, played: await play(disk, random, { changes: CHANGES }), kinds };
}

async function failures(): Promise<[OperationKind, number][]> {
  const { kinds } = await playWithFailure(undefined);
  return [...kinds.entries()].slice(OPERATIONS_TO_OPEN).map(([number, kind]) => [kind, number]);
}

test('each failure of an operation is reported once, and nothing is acknowledged after it', async () => {
  const cases = await failures();
  expect(cases.filter(([kind]) => kind === 'sync').length).toBeGreaterThan(10);
  for (const [kind, number] of cases) {
    const { disk, played } = await playWithFailure(number);
    expect(disk.failures).toBe(1);
    expect(played.failures.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^cannot write \/disk\/(journal|snapshot)-\d+(\.part)?: (ENOSPC|EIO): /),
    ]);
    const journal = played.journal!;
    await expect(journal.flushed()).rejects.toBe(played.failures[0]);
    journal.append({ table: 'Jobs', key: ['late', '#'], item: {} });
    await expect(journal.flushed()).rejects.toBe(played.failures[0]);
    await expect(journal.close()).rejects.toBe(played.failures[0]);

    const promised = played.promised();
    for (const left of [disk.afterKill(), disk.afterCrash('all lost'), disk.afterCrash(new FakeRandom(1))]) {
      const what = `${kind} ${number} failed`;
      expect(await problemAfter({ disk: left, promised, what }, played.states, promised)).toBeUndefined();
    }
  }
});

test('after a failed sync and a restart, what the restart has read is never lost', async () => {
  const syncs = (await failures()).filter(([kind]) => kind === 'sync');
  for (const [, number] of syncs) {
    const { disk } = await playWithFailure(number);
    const restarted = disk.afterKill();
    const played = await play(restarted, new FakeRandom(number), { changes: 5 });
    expect(played.failures).toEqual([]);
    await played.journal!.flushed();
    expect(await readBack(restarted.afterCrash('all lost'))).toBe(played.states.at(-1));
  }
});
