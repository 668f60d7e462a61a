import type { Command } from 'commander';

import type { Quarterjack } from '../../client';
import type { Context } from '../context';
import { CliError, ExitCode, exitCodeOf, explain } from '../exit-codes';
import type { Run } from '../run';
import { progressOf } from '../terminal/progress';
import { agrees } from './ask';
import { inParallel } from './in-parallel';

export interface BulkFlags {
  tag?: string[];
  yes?: boolean;
}

interface BulkCommand {
  name: string;
  description: string;
  /** What happened to a job: `paused`. */
  done: string;
  /** On a terminal, asks first. */
  asks?: boolean;
  act(client: Quarterjack, jobId: string): Promise<unknown>;
}

interface Outcome {
  jobId: string;
  outcome: string;
  error?: string;
}

/** A command that does one thing to jobs that are named, or that have a tag. */
export function addBulkCommand(jobs: Command, run: Run, bulk: BulkCommand): void {
  const collect = (value: string, all: string[] = []) => [...all, value];
  const command = jobs
    .command(`${bulk.name} [jobIds...]`)
    .description(bulk.description)
    .option('--tag <key:value>', 'all that have this tag; repeatable', collect)
    .addHelpText(
      'after',
      `\nExamples:\n  quarterjack jobs ${bulk.name} report close-42\n  quarterjack jobs ${bulk.name} --tag team:billing`,
    );
  if (bulk.asks) command.option('--yes', 'do not ask');
  command.action(
    run((context: Context, flags: BulkFlags, jobIds: string[]) => doAll(context, bulk, flags, jobIds)),
  );
}

async function doAll(context: Context, bulk: BulkCommand, { tag, yes }: BulkFlags, named: string[]) {
  if (named.length > 0 === (tag !== undefined))
    throw new CliError('name jobs, or give --tag: one of the two');
  const client = context.client();
  const jobIds = tag
    ? (await client.jobs.list({ tag, limit: 100 }).toArray()).map(({ jobId }) => jobId)
    : named;
  if (bulk.asks && !yes && !(await agrees(context.io, `${bulk.name} ${countOf(jobIds.length)}?`))) {
    context.say('Nothing was done.');
    return ExitCode.failed;
  }

  const progress = progressOf(context.io, bulk.name, jobIds.length);
  const errors: unknown[] = [];
  const outcomes = await inParallel(jobIds, async (jobId): Promise<Outcome> => {
    try {
      await bulk.act(client, jobId);
      return { jobId, outcome: bulk.done };
    } catch (error) {
      errors.push(error);
      return { jobId, outcome: 'failed', error: explain(error) };
    } finally {
      progress.step();
    }
  });
  progress.clear();
  context.print(outcomes, () => {
    const lines = outcomes.map(({ jobId, outcome, error }) =>
      error === undefined ? `${jobId} ${outcome}\n` : `${jobId} ${context.style.bad('failed')}: ${error}\n`,
    );
    return lines.length > 0 ? lines.join('') : 'No jobs.\n';
  });
  const [first] = errors;
  return first === undefined ? ExitCode.ok : exitCodeOf(first);
}

const countOf = (count: number): string => (count === 1 ? 'one job' : `${count} jobs`);
