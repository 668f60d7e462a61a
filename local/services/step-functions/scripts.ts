import { LocalRunError } from '../../run/errors';
import { ENDS, type MachineEnd } from './execution';

/** How executions of a state machine or durable function go: how long each takes, and how each ends. */
export interface Script {
  /** Its name; `*` means every other one. */
  machine: string;
  lastsMs: number;
  /** At least one. The last one repeats. */
  ends: readonly MachineEnd[];
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** A timer takes no more than 2³¹ ms. */
const LONGEST_MS = 20 * UNITS.d!;
const LASTING = /^(\d{1,9})(ms|s|m|h|d)$/;
const SCRIPT = /^([\w.*-]{1,80})=(\w{1,12})((?:,[a-z-]+)*)$/;

/** As if nothing was said about a machine. */
export const DEFAULT_SCRIPT: Script = { machine: '*', lastsMs: 5_000, ends: ['SUCCEEDED'] };

const wordOf = (end: MachineEnd): string => end.toLowerCase().replace('_', '-');
const BY_WORD = new Map(ENDS.map((end) => [wordOf(end), end]));

/** Milliseconds of `20s`; undefined: no such text, or more than a timer takes. */
export function parseLasting(text: string): number | undefined {
  const [, count, unit = ''] = LASTING.exec(text) ?? [];
  const lastsMs = Number(count) * (UNITS[unit] ?? Number.NaN);
  return lastsMs <= LONGEST_MS ? lastsMs : undefined;
}

/** Parses `nightly=20s,failed,succeeded`. Throws a `LocalRunError` that names the flag. */
export const parseScript = (text: string): Script => parse('--state-machine', text);
/** Parses what is said of a durable function, where the word for `aborted` is `stopped`. */
export const parseDurableScript = (text: string): Script =>
  parse('--durable', text.replaceAll(/,stopped\b/g, ',aborted'));

function parse(flag: string, text: string): Script {
  const [, machine = '', lasting = '', words = ''] = SCRIPT.exec(text) ?? [];
  const lastsMs = parseLasting(lasting);
  const ends = words
    .split(',')
    .slice(1)
    .map((word) => BY_WORD.get(word));
  if (lastsMs === undefined || ends.includes(undefined))
    throw new LocalRunError(
      `${flag} is ${JSON.stringify(text)}; expected NAME=DURATION and how its executions end in turn, ` +
        `such as nightly=20s,failed,succeeded, with at most 20d and any of ${[...BY_WORD.keys()].join(', ')}`,
    );
  return { machine, lastsMs, ends: ends.length === 0 ? DEFAULT_SCRIPT.ends : (ends as MachineEnd[]) };
}

/** The script of a machine: its own, or that for all, or the default. */
export function scriptOf(scripts: readonly Script[], machineArn: string): Script {
  const name = machineArn.split(':')[6];
  const find = (machine: string | undefined) => scripts.findLast((script) => script.machine === machine);
  return find(name) ?? find('*') ?? DEFAULT_SCRIPT;
}
