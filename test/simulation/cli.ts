import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { Command, InvalidArgumentError, Option } from 'commander';

import { count, print } from '../support/command-line';
import { endOfWatch } from '../support/row-bounds';
import { NEEDS_AUDITOR } from './auditing';
import { ALL, calmKind, type Kind, kindOf, kindsOf, withoutAuditor } from './kinds';
import { useLightAbort } from './light-abort';
import { enoughPairs, PairCount, pairLines } from './pairs/pairs';
import { PROFILES } from './profiles/profiles';
import { actionLine, faultLine, recordLine } from './report';
import type { Mode } from './run-plan';
import { shrink } from './shrink';
import { simulate, type SimulationResult } from './simulate';

interface Options {
  seeds: number;
  firstSeed: number;
  mode: Mode;
  profile?: string[];
  play?: Kind[];
  auditor: boolean;
  calm: boolean;
  packs?: keyof typeof PACKS;
  auditorOffEvery?: number;
  log?: string;
  hashes: boolean;
  keepGoing: boolean;
  repaired: boolean;
  cpu: boolean;
  pairs?: string;
  shrink: boolean;
  twice: boolean;
  twiceEvery?: number;
}

/** What environments do with next entries, one after another. */
const PACKS = { read: ['read'], write: ['write'], mixed: ['read', 'write'] } as const;

const mode = (text: string): Mode => {
  if (text !== 'safety' && text !== 'liveness') throw new InvalidArgumentError('must be safety or liveness');
  return text;
};

/** A run has jobs, calls and writes. With fewer records than this it has played nothing. */
const LEAST_RECORDS = 100;

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
  .option(
    '--play <ranges...>',
    'ranges of seeds, such as safety:1-40 gates:7-7, and files with plans; instead of a mode',
    (text, before: Kind[] | undefined) => [...(before ?? []), kindOf(text)],
  )
  .option('--no-auditor', 'switches the auditor off: what it would repair counts as broken')
  .option('--auditor-off-every <n>', 'the same for each n-th seed, of what does not need the auditor', count)
  .option('--mutant <name>', 'plays with this fault of test/mutants in the code')
  .option(
    '--calm',
    'plays without faults and with equal latencies, so that only what the code does is compared',
  )
  .addOption(
    new Option('--packs <kind>', 'next entries share rows; mixed: in half of the environments').choices(
      Object.keys(PACKS),
    ),
  )
  .option('--hashes', 'prints the hash of each log, to compare two versions of the code')
  .option('--keep-going', 'names each broken seed, and plays the others too')
  .option('--repaired', 'names each seed in which the auditor repaired something')
  .option('--cpu', 'says how much processor time a seed takes')
  .option('--log <pattern>', 'prints the records of the log that match')
  .option('--twice', 'plays each seed twice, and asks for the same log')
  .option('--twice-every <n>', 'the same for each n-th seed; and no two of these may have one log', count)
  .option('--pairs <file>', 'keeps the pairs of features there, and counts those that are kept there too')
  .option('--no-shrink', 'leaves the faults of a broken seed as they are')
  .action(main);

/** The profile that draws everything, and says which pairs of features came together. */
const COUNTS_PAIRS = 'everything';

interface Played {
  seeds: number;
  /** Seeds that had no auditor. */
  unaudited: number;
  strikes: number;
  repairs: number;
  broken: number;
}

async function main(options: Options): Promise<void> {
  useLightAbort();
  const { play, profile = [], firstSeed, seeds: number } = options;
  const named = play ?? kindsOf(options.mode, profile, firstSeed, number);
  const packs = options.packs && PACKS[options.packs];
  const kinds = named
    .map((kind) => auditedAs(options.calm ? calmKind(kind) : kind, options))
    .map((kind) => (packs ? { ...kind, planOf: (seed: number) => ({ ...kind.planOf(seed), packs }) } : kind));
  for (const kind of kinds) {
    const before = process.cpuUsage();
    const { seeds, unaudited, strikes, repairs, broken } = await playAll(kind, options);
    const { user, system } = process.cpuUsage(before);
    const outcome = broken > 0 ? `${broken} broken` : 'all invariants hold';
    const name = kinds.length > 1 ? `${kind.name}: ` : '';
    const cpu = options.cpu ? `, ${Math.round((user + system) / 1_000 / seeds)} ms of CPU a seed` : '';
    const audited = `${unaudited} without the auditor, ${repairs} repairs by it`;
    print(`${name}${seeds} seeds, ${strikes} faults, ${audited}, ${outcome}${cpu}`);
    if (broken > 0) process.exitCode = 1;
    if (broken > 0 && !options.keepGoing) break;
  }
}

function auditedAs(kind: Kind, { auditor, auditorOffEvery }: Options): Kind {
  if (!auditor) return withoutAuditor(kind);
  const isOff = auditorOffEvery !== undefined && !NEEDS_AUDITOR.has(kind.name);
  return isOff ? withoutAuditor(kind, auditorOffEvery) : kind;
}

/** Plays the seeds of one kind: all of them, or until one is broken. */
async function playAll(kind: Kind, options: Options): Promise<Played> {
  const played: Played = { seeds: 0, unaudited: 0, strikes: 0, repairs: 0, broken: 0 };
  const hashes = new Set<string>();
  const pairs = kind.name === COUNTS_PAIRS ? new PairCount() : undefined;
  for (let seed = kind.first; seed <= kind.last; seed++) {
    const plan = kind.planOf(seed);
    const result = await simulate(plan);
    // of each seed by itself: the watch keeps all rows that it is asked about
    const { unbounded } = endOfWatch();
    pairs?.add(result.log);
    played.seeds += 1;
    if (plan.withoutAuditor) played.unaudited += 1;
    played.strikes += result.strikes;
    played.repairs += result.repairs;
    if (options.hashes) print(`${kind.name} ${seed} ${result.hash}`);
    if (options.log !== undefined) printRecords(result, new RegExp(options.log));
    const isTwice = options.twice || seed % (options.twiceEvery ?? Number.POSITIVE_INFINITY) === 0;
    const isSame = !isTwice || (await givesItsLog(kind, seed, result, hashes));
    const isBounded = unbounded.length === 0;
    if (!isBounded) print(`${kind.name}, seed ${seed}: nothing bounds ${unbounded.join(', ')}`);
    if (isSame && isBounded && (await isSound(kind, seed, result, options))) continue;
    played.broken += 1;
    if (!options.keepGoing) break;
  }
  if (pairs) {
    const seeds = options.pairs === undefined ? played.seeds : sumPairs(pairs, played.seeds, options.pairs);
    for (const line of pairLines(pairs, seeds)) print(line);
    if (!enoughPairs(pairs, seeds)) process.exitCode = 1;
  }
  return played;
}

/** Adds what earlier commands have kept in the file, and keeps the sum there. Answers with all seeds. */
function sumPairs(pairs: PairCount, seeds: number, file: string): number {
  const earlier = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { seeds: number; counts: number[] })
    : undefined;
  if (earlier) pairs.addKept(earlier.counts);
  const sum = seeds + (earlier?.seeds ?? 0);
  writeFileSync(file, JSON.stringify({ seeds: sum, counts: pairs.kept() }));
  return sum;
}

/** Whether the seed gives the same log again, and one that no other seed has given. */
async function givesItsLog(
  kind: Kind,
  seed: number,
  { hash }: SimulationResult,
  others: Set<string>,
): Promise<boolean> {
  const isSame = (await simulate(kind.planOf(seed))).hash === hash;
  const isNew = !others.has(hash);
  others.add(hash);
  if (!isSame) print(`${kind.name}, seed ${seed}: two runs differ`);
  if (!isNew) print(`${kind.name}, seed ${seed}: another seed has the same log`);
  return isSame && isNew;
}

/** Prints what is wrong with a seed, if anything. */
async function isSound(
  kind: Kind,
  seed: number,
  result: SimulationResult,
  options: Options,
): Promise<boolean> {
  const name = `${kind.name}, seed ${seed}`;
  const { violations, log, repairs } = result;
  if (options.repaired && repairs > 0) print(`${name}: ${repairs} repairs by the auditor`);
  if (violations.length === 0 && log.records.length >= LEAST_RECORDS) return true;
  if (violations.length === 0) print(`${name}: its log has ${log.records.length} records`);
  else if (options.keepGoing)
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

export const played = command.parseAsync();
