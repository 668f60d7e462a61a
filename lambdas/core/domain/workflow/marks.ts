import { SECOND_MS } from '../../clock/clock';
import type { TerminalStatus } from '../transitions';
import type { RunState } from './run-state';

/**
 * A mark says how a task has ended, and when: a letter, and the seconds since the start of the run in base
 * 36. `s1k3` succeeded after 72,003 seconds. That of a switch ends with the index of its branch: `s4.2`.
 */
const RADIX = 36;

/** How a task can be marked: as its row has ended, or as excluded by its `when`. */
export type MarkedStatus = TerminalStatus | 'excluded';

const LETTERS = {
  succeeded: 's',
  failed: 'f',
  cancelled: 'c',
  skipped: 'x',
  excluded: 'e',
} as const satisfies Record<MarkedStatus, string>;
const STATUSES: Readonly<Record<string, MarkedStatus>> = {
  s: 'succeeded',
  f: 'failed',
  c: 'cancelled',
  x: 'skipped',
  e: 'excluded',
};

/** Key of a task in the maps of a run. */
export const keyOfTask = (index: number): string => index.toString(RADIX);
export const indexOfKey = (key: string): number => Number.parseInt(key, RADIX);

const secondsText = (atMs: number, { startedAtMs }: Pick<RunState, 'startedAtMs'>): string =>
  Math.max(0, Math.floor((atMs - startedAtMs) / SECOND_MS)).toString(RADIX);

/** @param branch of a switch: the index of the branch that it takes */
export const markOf = (
  status: MarkedStatus,
  atMs: number,
  run: Pick<RunState, 'startedAtMs'>,
  branch?: number,
): string =>
  LETTERS[status] + secondsText(atMs, run) + (branch === undefined ? '' : `.${branch.toString(RADIX)}`);

export const statusOfMark = (mark: string): MarkedStatus => STATUSES[mark.charAt(0)]!;

/** The index of the branch in the mark of a switch. */
export function branchOfMark(mark: string): number | undefined {
  const dot = mark.indexOf('.');
  return dot < 0 ? undefined : Number.parseInt(mark.slice(dot + 1), RADIX);
}

/** When a mark was made, to the second. */
export const timeOfMark = (mark: string, run: Pick<RunState, 'startedAtMs'>): number =>
  releaseTimeOf(mark.slice(1), run);

export const releaseOf = secondsText;
export const releaseTimeOf = (text: string, { startedAtMs }: Pick<RunState, 'startedAtMs'>): number =>
  startedAtMs + Number.parseInt(text, RADIX) * SECOND_MS;

export const roundOf = ({ rounds }: Pick<RunState, 'rounds'>, index: number): number =>
  Number.parseInt(rounds[keyOfTask(index)] ?? '1', 10);

/** The round whose delivery ids a task has: an earlier one, if only what failed runs again. */
export function keyRoundOf({ rounds }: Pick<RunState, 'rounds'>, index: number): number {
  const [round = '1', keyRound = round] = (rounds[keyOfTask(index)] ?? '1').split('.');
  return Number(keyRound);
}

/** Only of a fan-out: the round whose items stay that have succeeded. Undefined: all items run. */
export function keptRoundOf({ rounds }: Pick<RunState, 'rounds'>, index: number): number | undefined {
  const kept = rounds[keyOfTask(index)]?.split('.')[2];
  return kept === undefined ? undefined : Number(kept);
}

/**
 * `2`, or `3.1` if the deliveries of round 3 have the ids of round 1. `3.1.2`: of a fan-out that keeps the
 * items that have succeeded in round 2.
 */
export function roundText(round: number, keyRound: number, keptRound?: number): string {
  if (keptRound !== undefined) return `${round}.${keyRound}.${keptRound}`;
  return round === keyRound ? String(round) : `${round}.${keyRound}`;
}

export const MAX_ROUNDS = 100;
/** Fences of a later round begin higher: a row has fewer claims than these. */
const FENCES_A_ROUND = 10_000;
export const firstFenceOf = (round: number): number => (round - 1) * FENCES_A_ROUND;

/** The indexes in the `open` of a stop. */
export const openOf = ({ stop }: Pick<RunState, 'stop'>): ReadonlySet<number> =>
  new Set(stop?.open ? stop.open.split('.').map(indexOfKey) : []);

export const openText = (indexes: readonly number[]): string => indexes.map(keyOfTask).join('.');
