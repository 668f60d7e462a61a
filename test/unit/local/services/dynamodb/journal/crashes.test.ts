import { setImmediate as nextPhase } from 'node:timers/promises';

import { IS_DEEP } from '../../../../../support/deep';
import { FakeRandom } from '../../../../../support/fake-random';
import { type Play, play, type Promised, readBack } from '../../../../../support/local/journal-play';
import { type Luck, SimulatedDisk } from '../../../../../support/local/simulated-disk';

/** A disk as a crash leaves it, and what had been promised by then. */
interface Crash {
  disk: SimulatedDisk;
  promised: Promised;
  /** Which crash it was. */
  what: string;
}

const SEEDS = IS_DEEP ? 200 : 3;
const GENERATIONS = 3;
const CHANGES = 40;
/** A recovery is killed after each one of so many crashes. */
const SAMPLE = IS_DEEP ? 3 : 19;

const randomLatency = (random: FakeRandom) => async (): Promise<void> => {
  for (let wait = random.between(0, 3); wait > 0; wait--) await nextPhase();
};

/** Plays changes. Before and after each operation, it takes the disks that different crashes would leave. */
async function playWithCrashes(disk: SimulatedDisk, random: FakeRandom): Promise<[Play, Crash[]]> {
  const crashes: Crash[] = [];
  const lucks: Luck[] = ['all lost', random, random];
  disk.latency = randomLatency(random);
  const played = await play(disk, random, {
    changes: CHANGES,
    onStart: ({ promised }) => {
      disk.onOperation = (kind, name, number) => {
        const what = `operation ${number}, ${kind} ${name}`;
        for (const luck of lucks)
          crashes.push({ disk: disk.afterCrash(luck), promised: promised(), what: `${what}, power lost` });
        crashes.push({ disk: disk.afterKill(), promised: promised(), what: `${what}, killed` });
      };
    },
  });
  return [played, crashes];
}

/** Reads back what a crash has left. Returns it, and that it was a state that the journal may leave. */
async function problemAfter({ disk, promised, what }: Crash, { states }: Play): Promise<string | undefined> {
  const [acknowledged, appended] = promised;
  const recovered = disk.afterKill();
  const text = await readBack(recovered).catch((error: unknown) => error as Error);
  if (text instanceof Error) return `${what}: ${text.message}`;
  if (!states.slice(acknowledged, appended + 1).includes(text))
    return `${what}: rows are not those after ${acknowledged} to ${appended} changes: ${text}`;
  const again = await readBack(recovered.afterCrash('all lost'));
  return again === text ? undefined : `${what}: the second recovery has other rows: ${again}`;
}

describe.each(Array.from({ length: SEEDS }, (_, index) => index + 1))('seed %i', (seed) => {
  test(`a crash at any operation loses nothing acknowledged, ${GENERATIONS} crashes in a row`, async () => {
    const random = new FakeRandom(seed);
    let disk = new SimulatedDisk(random);
    for (let generation = 1; generation <= GENERATIONS; generation++) {
      const [played, crashes] = await playWithCrashes(disk, random);
      expect(played.failures).toEqual([]);
      expect(crashes.filter(({ what }) => what.includes('rename')).length).toBeGreaterThan(4);
      const problems: string[] = [];
      for (const crash of crashes) {
        const problem = await problemAfter(crash, played);
        if (problem !== undefined) problems.push(problem);
      }
      expect(problems).toEqual([]);
      disk = random.pick(crashes).disk;
    }
  });

  test('a crash at any operation of a recovery changes nothing of its result', async () => {
    const random = new FakeRandom(seed);
    const [played, crashes] = await playWithCrashes(new SimulatedDisk(random), random);
    let repairs = 0;
    for (const { disk, promised, what } of crashes.filter((_, index) => index % SAMPLE === 0)) {
      const left: Crash[] = [];
      const recovering = disk.afterKill();
      recovering.onOperation = (kind, name) => {
        if (kind === 'truncate') repairs += 1;
        const during = `${what}, recovery, ${kind} ${name}`;
        left.push({ disk: recovering.afterCrash(random), promised, what: during });
        left.push({ disk: recovering.afterKill(), promised, what: during });
      };
      const text = await readBack(recovering);
      for (const crash of left) {
        // After a kill, bytes may be in memory alone: until a recovery has ended, they may still be lost.
        if (what.endsWith('killed')) expect(await problemAfter(crash, played)).toBeUndefined();
        else expect(await readBack(crash.disk)).toBe(text);
      }
    }
    expect(repairs).toBeGreaterThan(0);
  });
});
