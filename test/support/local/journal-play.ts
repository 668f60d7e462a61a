import { setImmediate as nextPhase } from 'node:timers/promises';

import { type Journal, openJournal } from '../../../local/services/dynamodb/journal/journal';
import type { Files } from '../../../local/services/dynamodb/journal/files';
import type { RowChange } from '../../../local/services/dynamodb/engine/rows';
import type { FakeRandom } from '../fake-random';
import type { SimulatedDisk } from './simulated-disk';

/** Rows of tables, as plainly as possible: what a journal has to keep. */
export class Rows {
  private readonly rows = new Map<string, RowChange>();

  apply(change: RowChange): void {
    const key = JSON.stringify([change.table, change.key]);
    if (change.item === undefined) this.rows.delete(key);
    else this.rows.set(key, change);
  }

  all(): Iterable<RowChange> {
    return this.rows.values();
  }

  /** A text that equal rows share. */
  text(): string {
    return [...this.rows.values()]
      .map((row) => JSON.stringify(row))
      .sort()
      .join('\n');
  }
}

/** A change of one of a few rows. `number` makes it different from all others. */
export function randomChange(random: FakeRandom, number: number): RowChange {
  const table = random.pick(['Jobs', 'Schedule']);
  const key = [random.pick(['p/a', 'p/b', 'p/ü\n']), random.pick(['#', '2026-11-25'])];
  if (random.fraction() < 0.2) return { table, key, item: undefined };
  return { table, key, item: { number, text: 'ä"'.repeat(random.between(0, 120)) } };
}

/** What was promised at one moment of a run: `[acknowledged, appended]`, numbers of changes. */
export type Promised = readonly [number, number];

export interface Play {
  /** The rows after each number of changes, from 0: those that were read back. */
  states: string[];
  promised(): Promised;
  failures: Error[];
  warnings: string[];
  journal: Journal | undefined;
}

interface PlayOptions {
  changes: number;
  snapshotAtBytes?: number;
  /** Called with the play before anything runs. */
  onStart?: (play: Play) => void;
}

/** Opens the journal on a disk. `rows` gets all that is read back. */
export const openOn = (
  files: Files,
  rows: Rows,
  { failures, warnings }: Pick<Play, 'failures' | 'warnings'>,
  snapshotAtBytes = 1_500,
): Promise<Journal> =>
  openJournal(files, {
    apply: (change) => rows.apply(change),
    rows: () => rows.all(),
    onFailure: (error) => failures.push(error),
    onWarning: (line) => warnings.push(line),
    snapshotAtBytes,
    pacing: { sliceBytes: 300, pause: () => nextPhase() },
    beforeWrite: () => Promise.resolve(),
  });

/** The rows that are read back from a disk, which is left as a killed process would leave it. */
export async function readBack(disk: SimulatedDisk): Promise<string> {
  const rows = new Rows();
  await openOn(disk.files, rows, { failures: [], warnings: [] });
  return rows.text();
}

/** A disk as a crash leaves it. */
export interface Crash {
  disk: SimulatedDisk;
  /** By then, of the changes of this play. Undefined if the journal was not open yet. */
  promised: Promised | undefined;
  /** Which crash it was. */
  what: string;
}

/**
 * Reads back what a crash has left. The rows have to be those after some number of changes, from the last one
 * acknowledged on. A second recovery has to give the same.
 *
 * @returns what is wrong
 */
export async function problemAfter(
  { disk, what }: Crash,
  states: readonly string[],
  [acknowledged, appended]: Promised,
): Promise<string | undefined> {
  const recovered = disk.afterKill();
  const text = await readBack(recovered).catch((error: unknown) => error as Error);
  if (text instanceof Error) return `${what}: ${text.message}`;
  if (!states.slice(acknowledged, appended + 1).includes(text))
    return `${what}: rows of change ${states.lastIndexOf(text)}, not of ${acknowledged} to ${appended}`;
  const again = await readBack(recovered.afterCrash('all lost'));
  return again === text ? undefined : `${what}: the second recovery has other rows`;
}

/** Operations that take some time, so that others overtake them. */
export const randomLatency = (random: FakeRandom) => async (): Promise<void> => {
  for (let wait = random.between(0, 3); wait > 0; wait--) await nextPhase();
};

/**
 * Plays random changes. Some of them are waited for, some are not. It ends when all are acknowledged, or when
 * the journal has failed.
 */
export async function play(disk: SimulatedDisk, random: FakeRandom, options: PlayOptions): Promise<Play> {
  let acknowledged = 0;
  const rows = new Rows();
  const current: Play = {
    states: [],
    promised: () => [acknowledged, Math.max(current.states.length - 1, 0)],
    failures: [],
    warnings: [],
    journal: undefined,
  };
  options.onStart?.(current);
  const journal = await openOn(disk.files, rows, current, options.snapshotAtBytes);
  current.journal = journal;
  current.states.push(rows.text());
  const waits: Promise<void>[] = [];
  for (let number = 1; number <= options.changes; number++) {
    const change = randomChange(random, number);
    rows.apply(change);
    journal.append(change);
    current.states.push(rows.text());
    if (random.fraction() < 0.6) {
      const wait = journal.flushed().then(
        () => void (acknowledged = Math.max(acknowledged, number)),
        () => undefined,
      );
      waits.push(wait);
      if (random.fraction() < 0.3) await wait;
    }
    for (let pause = random.between(0, 6); pause > 3; pause--) await nextPhase();
  }
  await Promise.all(waits);
  return current;
}
