import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { InvalidArgumentError } from 'commander';

import { PROFILES } from './profiles/profiles';
import { calmed, type Mode, planOf, type RunPlan } from './run-plan';

const MODES: readonly Mode[] = ['safety', 'liveness'];
export const ALL = 'all';
/** `gates:1-40`: a mode or profile, and the first and the last seed. */
const RANGE = /^([a-z-]+):([1-9]\d{0,8})-([1-9]\d{0,8})$/;

/** Seeds of a mode or of a profile, or one plan of a file. */
export interface Kind {
  name: string;
  first: number;
  last: number;
  planOf: (seed: number) => RunPlan;
}

/** All modes and profiles, by name. */
const DRAWS: ReadonlyMap<string, (seed: number) => RunPlan> = new Map([
  ...MODES.map((mode) => [mode, (seed: number) => planOf(seed, mode)] as const),
  ...PROFILES,
]);

/** What `--play` names: a range of seeds, or a file with a plan. */
export function kindOf(text: string): Kind {
  if (text.endsWith('.json'))
    return { name: basename(text, '.json'), first: 1, last: 1, planOf: () => planIn(text) };
  const [, name = '', first, last] = RANGE.exec(text) ?? [];
  const draw = DRAWS.get(name);
  if (!draw || Number(last) < Number(first)) {
    const names = [...DRAWS.keys()].join(', ');
    throw new InvalidArgumentError(
      `${text} must be <name>:<first>-<last>, with one of the names ${names}, or a file <name>.json`,
    );
  }
  return { name, first: Number(first), last: Number(last), planOf: draw };
}

const planIn = (file: string): RunPlan => JSON.parse(readFileSync(file, 'utf8')) as RunPlan;

/** The seeds of a mode, or of profiles. `all`: of each profile. */
export function kindsOf(mode: Mode, profiles: readonly string[], first: number, seeds: number): Kind[] {
  const known = profiles.includes(ALL)
    ? [...PROFILES.keys()]
    : [...PROFILES.keys()].filter((name) => profiles.includes(name));
  const names = profiles.length > 0 ? known : [mode];
  return names.map((name) => ({ name, first, last: first + seeds - 1, planOf: DRAWS.get(name)! }));
}

/** The seeds of a kind, of which each n-th has no auditor. */
export const withoutAuditor = (kind: Kind, each = 1): Kind => ({
  ...kind,
  planOf: (seed) => {
    const plan = kind.planOf(seed);
    return seed % each === 0 ? { ...plan, withoutAuditor: true } : plan;
  },
});

/** The seeds of a kind, without faults and with equal latencies. */
export const calmKind = (kind: Kind): Kind => ({ ...kind, planOf: (seed) => calmed(kind.planOf(seed)) });
