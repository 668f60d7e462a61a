import { execFileSync } from 'node:child_process';
import { availableParallelism, setPriority } from 'node:os';

import { Command } from 'commander';

import { inParallel } from '../../lambdas/core/async/in-parallel';
import { count, print } from '../support/command-line';
import { concernedBy, ROOT } from './mutant';
import { MUTANTS } from './mutants';
import { failingTests, runMutant } from './run-mutant';

interface Options {
  only?: string[];
  since?: string;
  parallel: number;
  baseline: boolean;
}

const command = new Command('mutants')
  .description('Puts one fault after another into the protocol, and asks the named test to fail')
  .option('--only <texts...>', 'only the mutants whose name contains one of the texts')
  .option('--since <commit>', 'only the mutants of files, or with tests, that differ from a commit')
  .option('--parallel <count>', 'mutants side by side', count, availableParallelism())
  .option('--no-baseline', 'does not ask first whether the tests pass without a fault')
  .action(main);

/** Other work on the machine goes first. */
const NICENESS = 10;
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(0)} s`;

/** Files of the working tree that differ from a commit. */
const changedSince = (commit: string): ReadonlySet<string> =>
  new Set(execFileSync('git', ['diff', '--name-only', commit], { cwd: ROOT, encoding: 'utf8' }).split('\n'));

async function main({ only = [''], since, parallel, baseline }: Options): Promise<void> {
  setPriority(NICENESS);
  const named = MUTANTS.filter(({ name }) => only.some((text) => name.includes(text)));
  const mutants = since === undefined ? named : concernedBy(changedSince(since), named);
  if (since !== undefined) print(`${mutants.length} mutants of files that differ from ${since}`);
  if (since !== undefined && mutants.length === 0) return;
  if (mutants.length === 0) throw new Error(`no mutant's name contains ${only.join(' or ')}`);
  const files = [...new Set(mutants.map(({ killedBy }) => killedBy))];
  const failing = baseline ? await failingTests(files) : [];
  if (failing.length > 0) throw new Error(`fails without a fault: ${failing.join('; ')}`);
  const width = Math.max(...mutants.map(({ name }) => name.length));
  let killed = 0;
  await inParallel(mutants, parallel, async (mutant) => {
    const { status, why, tookMs } = await runMutant(mutant);
    if (status === 'killed') killed += 1;
    print(`${status.padEnd(8)}  ${mutant.name.padEnd(width)}  ${seconds(tookMs).padStart(5)}  ${why}`);
  });
  print(`${killed} of ${mutants.length} mutants killed`);
  if (killed < mutants.length) process.exitCode = 1;
}

void command.parseAsync();
