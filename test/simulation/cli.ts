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
  profile?: string;
  auditor: boolean;
  log?: string;
  hashes: boolean;
  keepGoing: boolean;
  shrink: boolean;
  twice: boolean;
}

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
    new Option('--profile <name>', 'one kind of faults at a high rate, instead of a mode').choices([
      ...PROFILES.keys(),
    ]),
  )
  .option('--no-auditor', 'switches the auditor off: what it would repair counts as broken')
  .option('--hashes', 'prints the hash of each log, to compare two versions of the code')
  .option('--keep-going', 'names each broken seed, and plays the others too')
  .option('--log <pattern>', 'prints the records of the log that match')
  .option('--twice', 'plays each seed twice, and asks for the same log')
  .option('--no-shrink', 'leaves the faults of a broken seed as they are')
  .action(main);

/** How a run is called: its profile, or its mode. */
const kindOf = ({ profile, mode: ofPlan }: Options): string => profile ?? ofPlan;

function planFor(seed: number, options: Options): RunPlan {
  const profile = options.profile === undefined ? undefined : PROFILES.get(options.profile);
  const plan = profile ? profile(seed) : planOf(seed, options.mode);
  return options.auditor ? plan : { ...plan, withoutAuditor: true };
}

async function main(options: Options): Promise<void> {
  let strikes = 0;
  let repairs = 0;
  let seeds = 0;
  for (let seed = options.firstSeed; seed < options.firstSeed + options.seeds; seed++) {
    const result = await simulate(planFor(seed, options));
    seeds += 1;
    strikes += result.strikes;
    repairs += result.repairs;
    if (options.hashes) print(`${kindOf(options)} ${seed} ${result.hash}`);
    if (options.log !== undefined) printRecords(result, new RegExp(options.log));
    if (options.twice && (await simulate(planFor(seed, options))).hash !== result.hash) {
      print(`seed ${seed}, ${kindOf(options)}: two runs differ`);
      process.exitCode = 1;
      break;
    }
    if (result.violations.length === 0) continue;
    process.exitCode = 1;
    if (options.keepGoing) {
      print(`seed ${seed}: ${[...new Set(result.violations.map(({ invariant }) => invariant))].join()}`);
      continue;
    }
    await explain(seed, options);
    break;
  }
  const outcome = process.exitCode ? 'broken' : 'all invariants hold';
  print(`${seeds} seeds, ${strikes} faults, ${repairs} repairs by the auditor, ${outcome}`);
}

function printRecords({ log }: SimulationResult, pattern: RegExp): void {
  const lines = log.records.map(recordLine).filter((line) => pattern.test(line));
  print(lines.join('\n'));
}

async function explain(seed: number, options: Options): Promise<void> {
  const plan = planFor(seed, options);
  const { violations, hash } = await simulate(plan);
  const [{ invariant }] = violations as [(typeof violations)[0]];
  print(`seed ${seed}, ${kindOf(options)}, log ${hash}: breaks ${invariant}`);
  for (const violation of violations) print(`  ${violation.invariant}: ${violation.detail}`);
  if (!options.shrink) return;
  const { plan: least, runs } = await shrink(plan, invariant);
  print(`shrunk in ${runs} runs to ${least.faults.length} of ${plan.faults.length} faults:`);
  for (const fault of least.faults) print(`  ${faultLine(fault)}`);
  print(`and ${least.actions.length} of ${plan.actions.length} actions:`);
  for (const action of least.actions) print(`  ${actionLine(action)}`);
}

void command.parseAsync();
