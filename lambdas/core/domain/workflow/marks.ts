import { SECOND_MS } from '../../clock/clock';
import type { TerminalStatus } from '../transitions';
import type { RunState } from './run-state';

/**
 * A mark says how a task has ended, and when: a letter, and the seconds since the start of the run in base
 * 36. `s1k3` succeeded after 72,003 seconds.
 */
const RADIX = 36;

const LETTERS = { succeeded: 's', failed: 'f', cancelled: 'c', skipped: 'x' } as const satisfies Record<
  TerminalStatus,
  string
>;
const STATUSES: Readonly<Record<string, TerminalStatus>> = {
  s: 'succeeded',
  f: 'failed',
  c: 'cancelled',
  x: 'skipped',
};

/** Key of a task in the maps of a run. */
export const keyOfTask = (index: number): string => index.toString(RADIX);
export const indexOfKey = (key: string): number => Number.parseInt(key, RADIX);

const secondsText = (atMs: number, { startedAtMs }: Pick<RunState, 'startedAtMs'>): string =>
  Math.max(0, Math.floor((atMs - startedAtMs) / SECOND_MS)).toString(RADIX);

export const markOf = (status: TerminalStatus, atMs: number, run: Pick<RunState, 'startedAtMs'>): string =>
  LETTERS[status] + secondsText(atMs, run);

export const statusOfMark = (mark: string): TerminalStatus => STATUSES[mark.charAt(0)]!;

/** When a mark was made, to the second. */
export const timeOfMark = (mark: string, run: Pick<RunState, 'startedAtMs'>): number =>
  releaseTimeOf(mark.slice(1), run);

export const releaseOf = secondsText;
export const releaseTimeOf = (text: string, { startedAtMs }: Pick<RunState, 'startedAtMs'>): number =>
  startedAtMs + Number.parseInt(text, RADIX) * SECOND_MS;

export const roundOf = ({ rounds }: Pick<RunState, 'rounds'>, index: number): number =>
  Number(rounds[keyOfTask(index)] ?? 1);

/** The indexes in the `open` of a stop. */
export const openOf = ({ stop }: Pick<RunState, 'stop'>): ReadonlySet<number> =>
  new Set(stop?.open ? stop.open.split('.').map(indexOfKey) : []);

export const openText = (indexes: readonly number[]): string => indexes.map(keyOfTask).join('.');
