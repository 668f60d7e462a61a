import type { Command } from 'commander';

import type { Quarterjack } from '../../client';
import type { Context } from '../context';
import { CliError, ExitCode, exitCodeOf, explain } from '../exit-codes';
import { addNote, collect, tagFilters } from '../flag-values';
import { inParallel } from '../in-parallel';
import { interruptible } from '../interrupt';
import type { Run } from '../run';
import { plain } from '../terminal/table';
import { progressOf } from '../terminal/progress';
import { agrees } from './ask';

interface BulkFlags {
  tag?: string[];
  yes?: boolean;
}

interface BulkCommand {
  name: string;
  description: string;
  /** The outcome of a job that succeeded: `paused`. */
  done: string;
  /** Whether to ask for confirmation on a terminal. */
  asks?: boolean;
  act(client: Quarterjack, jobId: string): Promise<unknown>;
}

interface Outcome {
  jobId: string;
  outcome: string;
  error?: string;
}

/** Adds a command that does the same to several jobs: those named, or those with a tag. */
export function addBulkCommand(jobs: Command, run: Run, bulk: BulkCommand): void {
  const command = addNote(jobs.command(`${bulk.name} [jobIds...]`))
    .description(bulk.description)
    .option('--tag <key:value>', 'all jobs that have this tag; repeat it to require several', collect)
    .addHelpText(
      'after',
      `\nExamples:\n  quarterjack jobs ${bulk.name} report close-42\n  quarterjack jobs ${bulk.name} --tag team:billing`,
    );
  if (bulk.asks) command.option('--yes', 'do not ask for confirmation');
  command.action(
    run((context: Context, flags: BulkFlags, jobIds: string[]) => doAll(context, bulk, flags, jobIds)),
  );
}

async function doAll(context: Context, bulk: BulkCommand, { tag, yes }: BulkFlags, named: string[]) {
  if (named.length > 0 === (tag !== undefined)) throw new CliError('give either job ids or --tag');
  const client = context.client();
  const jobIds = tag
    ? (await client.jobs.list({ tag: tagFilters(tag), limit: 100 }).toArray()).map(({ jobId }) => jobId)
    : named;
  if (bulk.asks && !yes && !(await agrees(context.io, questionOf(bulk, jobIds.length, tag)))) {
    context.say('Nothing was done.');
    return ExitCode.failed;
  }

  const progress = progressOf(context.io, bulk.name, jobIds.length);
  const errors: unknown[] = [];
  const actOn = async (jobId: string): Promise<Outcome> => {
    try {
      await bulk.act(client, jobId);
      return { jobId, outcome: bulk.done };
    } catch (error) {
      errors.push(error);
      return { jobId, outcome: 'failed', error: explain(error) };
    } finally {
      progress.step();
    }
  };
  const { result: outcomes, isInterrupted } = await interruptible(context.io, (signal) =>
    inParallel(jobIds, actOn, { signal }),
  );
  progress.clear();
  context.print(outcomes, () => {
    const lines = outcomes.map(({ jobId, outcome, error }) =>
      error === undefined ? `${jobId} ${outcome}\n` : `${jobId} ${context.style.bad('failed')}: ${error}\n`,
    );
    return lines.length > 0 ? lines.join('') : 'No jobs.\n';
  });
  if (isInterrupted) {
    const done = outcomes.length - errors.length;
    context.say(`Interrupted: ${done} of ${jobIds.length} ${bulk.done}. ${howToGoOn(tag !== undefined)}`);
    return ExitCode.interrupted;
  }
  const [first] = errors;
  return first === undefined ? ExitCode.ok : exitCodeOf(first);
}

const howToGoOn = (byTag: boolean): string =>
  byTag
    ? 'Run the same command again: it does the rest.'
    : 'Run it again with the jobs that are not in this list.';

/** `Delete 12 jobs with the tag team:billing?` */
function questionOf({ name }: BulkCommand, count: number, tags: readonly string[] = []): string {
  const verb = name.charAt(0).toUpperCase() + name.slice(1);
  const which = tags.length > 0 ? ` with the tag ${tags.map((tag) => plain(tag)).join(' and ')}` : '';
  return `${verb} ${count === 1 ? 'one job' : `${count} jobs`}${which}?`;
}
