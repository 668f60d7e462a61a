import { Command, InvalidArgumentError } from 'commander';

import { count, print } from '../support/command-line';
import { actionLine, faultLine, recordLine } from './report';
import { type Mode, planOf } from './run-plan';
import { shrink } from './shrink';
import { simulate } from './simulate';

interface Options {
  seeds: number;
  firstSeed: number;
  mode: Mode;
  log?: string;
  hashes: boolean;
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
  .option('--hashes', 'prints the hash of each log, to compare two versions of the code')
  .option('--log <pattern>', 'prints the records of the log that match')
  .option('--twice', 'plays each seed twice, and asks for the same log')
  .option('--no-shrink', 'leaves the faults of a broken seed as they are')
  .action(main);

async function main(options: Options): Promise<void> {
  let strikes = 0;
  let seeds = 0;
  for (let seed = options.firstSeed; seed < options.firstSeed + options.seeds; seed++) {
    const result = await simulate(planOf(seed, options.mode));
    seeds += 1;
    strikes += result.strikes;
    if (options.hashes) print(`${options.mode} ${seed} ${result.hash}`);
    if (options.log !== undefined) {
      const pattern = new RegExp(options.log);
      print(
        result.log.records
          .map(recordLine)
          .filter((line) => pattern.test(line))
          .join('\n'),
      );
    }
    if (options.twice && (await simulate(planOf(seed, options.mode))).hash !== result.hash) {
      print(`seed ${seed}, mode ${options.mode}: two runs differ`);
      process.exitCode = 1;
      break;
    }
    if (result.violations.length > 0) {
      await explain(seed, options);
      process.exitCode = 1;
      break;
    }
  }
  print(`${seeds} seeds, ${strikes} faults, ${process.exitCode ? 'broken' : 'all invariants hold'}`);
}

async function explain(seed: number, options: Options): Promise<void> {
  const plan = planOf(seed, options.mode);
  const { violations, hash } = await simulate(plan);
  const [{ invariant }] = violations as [(typeof violations)[0]];
  print(`seed ${seed}, mode ${options.mode}, log ${hash}: breaks ${invariant}`);
  for (const violation of violations) print(`  ${violation.invariant}: ${violation.detail}`);
  if (!options.shrink) return;
  const { plan: least, runs } = await shrink(plan, invariant);
  print(`shrunk in ${runs} runs to ${least.faults.length} of ${plan.faults.length} faults:`);
  for (const fault of least.faults) print(`  ${faultLine(fault)}`);
  print(`and ${least.actions.length} of ${plan.actions.length} actions:`);
  for (const action of least.actions) print(`  ${actionLine(action)}`);
}

void command.parseAsync();
