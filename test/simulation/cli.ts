import { Command, InvalidArgumentError, Option } from 'commander';

import { count, print } from '../support/command-line';
import { PROFILES } from './profiles/profiles';
import { actionLine, faultLine, recordLine } from './report';
import { type Mode, planOf, type RunPlan } from './run-plan';
import { shrink } from './shrink';
import { simulate, type SimulationResult } from './simulate';

interface Options {
  seeds: number;
  firstSeed: number;
  mode: Mode;
  profile?: string[];
  auditor: boolean;
  log?: string;
  hashes: boolean;
  keepGoing: boolean;
  shrink: boolean;
  twice: boolean;
}

const ALL = 'all';

const mode = (text: string): Mode => {
  if (text !== 'safety' && text !== 'liveness') throw new InvalidArgumentError('must be safety or liveness');
  return text;
};

const command = new Command('simulate')
  .description('Plays seeded runs of the whole system with faults, and checks what was promised')
  .option('--seeds <count>', 'how many seeds', count, 20)
  .option('--first-seed <seed>', 'the first of them', count, 1)
  .option(
    '--mode <mode>',
    'safety: faults to the end; liveness: they stop early, then all is in time',
    mode,
    'safety',
  )
  .addOption(
    new Option(
      '--profile <names...>',
      'one kind of faults at a high rate, instead of a mode; several, one after another',
    ).choices([ALL, ...PROFILES.keys()]),
  )
  .option('--no-auditor', 'switches the auditor off: what it would repair counts as broken')
  .option('--hashes', 'prints the hash of each log, to compare two versions of the code')
  .option('--keep-going', 'names each broken seed, and plays the others too')
  .option('--log <pattern>', 'prints the records of the log that match')
  .option('--twice', 'plays each seed twice, and asks for the same log')
  .option('--no-shrink', 'leaves the faults of a broken seed as they are')
  .action(main);

/** What makes the plan of a seed: a mode, or a profile. */
interface Kind {
  name: string;
  planOf: (seed: number) => RunPlan;
}

interface Played {
  seeds: number;
  strikes: number;
  repairs: number;
  broken: number;
}

function kindsOf({ profile = [], mode: ofPlans, auditor }: Options): Kind[] {
  const profiles = profile.includes(ALL)
    ? PROFILES
    : [...PROFILES].filter(([name]) => profile.includes(name));
  const kinds: (readonly [string, (seed: number) => RunPlan])[] =
    profile.length > 0 ? [...profiles] : [[ofPlans, (seed: number) => planOf(seed, ofPlans)]];
  return kinds.map(([name, draw]) => ({
    name,
    planOf: (seed) => (auditor ? draw(seed) : { ...draw(seed), withoutAuditor: true }),
  }));
}

async function main(options: Options): Promise<void> {
  const kinds = kindsOf(options);
  for (const kind of kinds) {
    const { seeds, strikes, repairs, broken } = await playAll(kind, options);
    const outcome = broken > 0 ? `${broken} broken` : 'all invariants hold';
    const name = kinds.length > 1 ? `${kind.name}: ` : '';
    print(`${name}${seeds} seeds, ${strikes} faults, ${repairs} repairs by the auditor, ${outcome}`);
    if (broken > 0) process.exitCode = 1;
    if (broken > 0 && !options.keepGoing) break;
  }
}

/** Plays the seeds of one kind: all of them, or until one is broken. */
async function playAll(kind: Kind, options: Options): Promise<Played> {
  const played: Played = { seeds: 0, strikes: 0, repairs: 0, broken: 0 };
  for (let seed = options.firstSeed; seed < options.firstSeed + options.seeds; seed++) {
    const result = await simulate(kind.planOf(seed));
    played.seeds += 1;
    played.strikes += result.strikes;
    played.repairs += result.repairs;
    if (options.hashes) print(`${kind.name} ${seed} ${result.hash}`);
    if (options.log !== undefined) printRecords(result, new RegExp(options.log));
    if (await isSound(kind, seed, result, options)) continue;
    played.broken += 1;
    if (!options.keepGoing) break;
  }
  return played;
}

/** Prints what is wrong with a seed, if anything. */
async function isSound(
  kind: Kind,
  seed: number,
  result: SimulationResult,
  options: Options,
): Promise<boolean> {
  const name = `${kind.name}, seed ${seed}`;
  if (options.twice && (await simulate(kind.planOf(seed))).hash !== result.hash) {
    print(`${name}: two runs differ`);
    return false;
  }
  const { violations } = result;
  if (violations.length === 0) return true;
  if (options.keepGoing)
    print(`${name}: ${[...new Set(violations.map(({ invariant }) => invariant))].join()}`);
  else await explain(kind, seed, result, options);
  return false;
}

function printRecords({ log }: SimulationResult, pattern: RegExp): void {
  const lines = log.records.map(recordLine).filter((line) => pattern.test(line));
  print(lines.join('\n'));
}

async function explain(
  kind: Kind,
  seed: number,
  { violations, hash }: SimulationResult,
  options: Options,
): Promise<void> {
  const plan = kind.planOf(seed);
  const [{ invariant }] = violations as [(typeof violations)[0]];
  print(`seed ${seed}, ${kind.name}, log ${hash}: breaks ${invariant}`);
  for (const violation of violations) print(`  ${violation.invariant}: ${violation.detail}`);
  if (!options.shrink) return;
  const { plan: least, runs } = await shrink(plan, invariant);
  print(`shrunk in ${runs} runs to ${least.faults.length} of ${plan.faults.length} faults:`);
  for (const fault of least.faults) print(`  ${faultLine(fault)}`);
  print(`and ${least.actions.length} of ${plan.actions.length} actions:`);
  for (const action of least.actions) print(`  ${actionLine(action)}`);
}

void command.parseAsync();
