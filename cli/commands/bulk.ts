import type { Command } from 'commander';

import type { BulkRequest, Job, Quarterjack } from '../../client';
import { addBulkFlags, bulkFilterOf, type BulkFlags, selectionText } from '../bulk/bulk-flags';
import { runBulk } from '../bulk/run-bulk';
import type { Context } from '../context';
import { CliError, ExitCode, exitCodeOf, explain } from '../exit-codes';
import { addNote } from '../flag-values';
import { inParallel } from '../in-parallel';
import { interruptible } from '../interrupt';
import { jobFilterOf } from '../job-filter-flags';
import type { Run } from '../run';
import { untilOf } from '../time-flags';
import { progressOf } from '../terminal/progress';
import { instantText } from '../terminal/times';
import { addYes, confirmed, listText, MOST_NAMED, namesText } from './ask';

interface Flags extends BulkFlags {
  /** Only of a pause. */
  until?: string;
  yes?: boolean;
}

interface BulkCommand {
  name: 'pause' | 'resume' | 'delete';
  description: string;
  /** The outcome of a job that succeeded: `paused`. */
  done: string;
  /** Whether to ask for confirmation. */
  asks?: boolean;
  /** Whether the jobs may be resumed by themselves. */
  hasUntil?: boolean;
  act(client: Quarterjack, jobId: string, until?: string): Promise<Changed | void>;
}

/** What is shown of a job that has changed. */
type Changed = Pick<Job, 'status' | 'pausedUntil'>;

interface Outcome {
  jobId: string;
  outcome: string;
  pausedUntil?: string;
  /** The job has nothing left to run. */
  status?: 'completed';
  error?: string;
}

const COMPLETED = '; it is completed, and has nothing left to run';

/** Adds a command that does the same to several jobs: those named, or those that a filter selects. */
export function addBulkCommand(jobs: Command, run: Run, bulk: BulkCommand): void {
  const command = addBulkFlags(addNote(jobs.command(`${bulk.name} [jobIds...]`)))
    .description(bulk.description)
    .addHelpText(
      'after',
      `\nExamples:\n  quarterjack jobs ${bulk.name} report close-42\n  quarterjack jobs ${bulk.name} --tag team:billing --dry-run`,
    );
  if (bulk.asks) addYes(command);
  if (bulk.hasUntil) command.option('--until <time>', 'resume them by themselves: after 2h, or at a time');
  command.action(
    run((context: Context, given: Flags, jobIds: string[]) => {
      const until = given.until === undefined ? undefined : untilOf(given.until, context.typedAt());
      const flags = { ...given, until };
      const filter = bulkFilterOf(flags);
      if (jobIds.length > 0 === (filter !== undefined))
        throw new CliError('give either job ids, or flags that select jobs, such as --tag or --all');
      if (filter === undefined && flags.dryRun)
        throw new CliError('--dry-run counts what flags such as --tag select: leave out the job ids');
      return filter === undefined
        ? doNamed(context, bulk, flags, jobIds)
        : doSelected(context, bulk, flags, filter);
    }),
  );
}

/** ` until 2026-12-24 08:00:00Z` */
const untilText = (until: string | undefined): string => (until ? ` until ${instantText(until)}Z` : '');

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const doSelected = (context: Context, bulk: BulkCommand, flags: Flags, filter: BulkRequest['filter']) =>
  runBulk(context, {
    request: { action: bulk.name, filter, all: flags.all, until: flags.until },
    what: 'job',
    done: bulk.done + untilText(flags.until),
    dryRun: flags.dryRun === true,
    yes: flags.yes,
    ...(bulk.asks && {
      question: async (selected: string) => {
        const what = `${selected}${selectionText(flags, context)}`;
        return `${capitalized(bulk.name)} ${what}: ${listText(await firstOf(context, flags))}?`;
      },
    }),
  });

/** The first jobs that the flags select, and one more than are named. */
async function firstOf(context: Context, { status, ...flags }: BulkFlags): Promise<string[]> {
  const limit = MOST_NAMED + 1;
  const filter = { status, ...jobFilterOf(flags), limit };
  const jobs = await context.client().jobs.summaries(filter).toArray(limit);
  return jobs.map(({ jobId }) => jobId);
}

/** Each named job has its own request and its own outcome. */
async function doNamed(context: Context, bulk: BulkCommand, { yes, until }: Flags, jobIds: string[]) {
  const client = context.client();
  const question = `${capitalized(bulk.name)} ${namesText('job', jobIds)}?`;
  if (bulk.asks && !(await confirmed(context, question, yes))) return ExitCode.failed;
  const progress = progressOf(context.io, bulk.name, jobIds.length);
  const errors: unknown[] = [];
  const actOn = async (jobId: string): Promise<Outcome> => {
    try {
      const job = await bulk.act(client, jobId, until);
      return {
        jobId,
        outcome: bulk.done,
        ...(job?.pausedUntil !== undefined && { pausedUntil: job.pausedUntil }),
        ...(job?.status === 'completed' && { status: job.status }),
      };
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
  context.print(outcomes, () =>
    outcomes
      .map(({ jobId, outcome, pausedUntil, status, error }) =>
        error === undefined
          ? `${jobId} ${outcome}${untilText(pausedUntil)}${status ? COMPLETED : ''}\n`
          : `${jobId} ${context.style.bad('failed')}: ${error}\n`,
      )
      .join(''),
  );
  if (isInterrupted) {
    const done = outcomes.length - errors.length;
    context.say(
      `Interrupted: ${done} of ${jobIds.length} ${bulk.done}. Run it again with the jobs that are not in this list.`,
    );
    return ExitCode.interrupted;
  }
  const [first] = errors;
  return first === undefined ? ExitCode.ok : exitCodeOf(first);
}
