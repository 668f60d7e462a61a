/**
 * Names of the files. Snapshot k holds all rows after the journals before journal k. The journals from k on
 * are replayed over it. Without a snapshot, the first journal is 0.
 */
const NAME = /^(journal|snapshot)-(\d+)$/;
const PART = /^snapshot-\d+\.part$/;

export const journalName = (number: number): string => `journal-${number}`;
export const snapshotName = (number: number): string => `snapshot-${number}`;
/** A snapshot that is being written. It counts once it has been renamed. */
export const partName = (number: number): string => `snapshot-${number}.part`;

export const isPart = (name: string): boolean => PART.test(name);

/** The numbers of the journals, or of the snapshots, in order. */
export function numbersOf(kind: 'journal' | 'snapshot', names: readonly string[]): number[] {
  const matches = names.map((name) => NAME.exec(name)).filter((match) => match?.[1] === kind);
  return matches.map((match) => Number(match![2])).sort((a, b) => a - b);
}

/** The journals and snapshots that snapshot `number` replaces. */
export const namesBefore = (number: number, names: readonly string[]): string[] => [
  ...numbersOf('journal', names)
    .filter((earlier) => earlier < number)
    .map(journalName),
  ...numbersOf('snapshot', names)
    .filter((earlier) => earlier < number)
    .map(snapshotName),
];
