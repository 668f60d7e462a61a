import { IS_DEEP } from '../../../../../support/deep';
import { FakeRandom } from '../../../../../support/fake-random';
import {
  type Crash,
  type Play,
  play,
  problemAfter,
  type Promised,
  randomLatency,
  readBack,
} from '../../../../../support/local/journal-play';
import { type Luck, SimulatedDisk } from '../../../../../support/local/simulated-disk';

const SEEDS = IS_DEEP ? 200 : 2;
const CRASHES_IN_A_ROW = 3;
const CHANGES = 50;
/** A recovery is killed after each one of so many crashes. */
const SAMPLE = IS_DEEP ? 3 : 19;

/** Plays changes. Before and after each operation, it takes the disks that different crashes would leave. */
async function playWithCrashes(disk: SimulatedDisk, random: FakeRandom): Promise<[Play, Crash[]]> {
  const crashes: Crash[] = [];
  const lucks: Luck[] = ['all lost', random];
  disk.latency = randomLatency(random);
  const played = await play(disk, random, {
    changes: CHANGES,
    onStart: (current) => {
      disk.onOperation = (kind, name, number) => {
        const promised = current.journal ? current.promised() : undefined;
        const what = `operation ${number}, ${kind} ${name}`;
        for (const luck of lucks)
          crashes.push({ disk: disk.afterCrash(luck), promised, what: `${what}, power lost` });
        crashes.push({ disk: disk.afterKill(), promised, what: `${what}, killed` });
      };
    },
  });
  return [played, crashes];
}

/** The states that a disk may have, and those of them that were promised. */
type Before = readonly [string[], Promised];
const EMPTY: Before = [[''], [0, 0]];

describe.each(Array.from({ length: SEEDS }, (_, index) => index + 1))('seed %i', (seed) => {
  test(`a crash at any operation loses nothing acknowledged, ${CRASHES_IN_A_ROW} times in a row`, async () => {
    const random = new FakeRandom(seed);
    let disk = new SimulatedDisk(random);
    let before = EMPTY;
    let renames = 0;
    for (let crashed = 0; crashed < CRASHES_IN_A_ROW; crashed++) {
      const [played, crashes] = await playWithCrashes(disk, random);
      expect(played.failures).toEqual([]);
      renames += crashes.filter(({ what }) => what.includes('rename')).length;
      const problems: string[] = [];
      for (const crash of crashes) {
        // While it opens, bytes may be in memory alone that a killed process had written.
        const [states, promised] = crash.promised ? [played.states, crash.promised] : before;
        const problem = await problemAfter(crash, states, promised);
        if (problem !== undefined) problems.push(problem);
      }
      expect(problems).toEqual([]);
      const next = random.pick(crashes.filter(({ promised }) => promised !== undefined));
      disk = next.disk;
      before = [played.states, next.promised!];
    }
    expect(renames).toBeGreaterThan(4);
  });
});

test('a crash at any operation of a recovery changes nothing of its result', async () => {
  const random = new FakeRandom(1);
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
      const [states, expected]: Before = what.endsWith('killed')
        ? [played.states, promised ?? [0, 0]]
        : [[text], [0, 0]];
      expect(await problemAfter(crash, states, expected)).toBeUndefined();
    }
  }
  expect(repairs).toBeGreaterThan(0);
});
