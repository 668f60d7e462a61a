import { type Command, Option } from 'commander';

import type { Execution } from '../../client';
import type { Context } from '../context';
import { durationOf, numberOf, pageSizeOf } from '../flag-values';
import { JobZones } from '../job-zones';
import type { Run } from '../run';
import { printExecutions } from './execution-text';

interface FailureFlags {
  status?: 'failed' | 'skipped';
  since: string;
  from?: string;
  to?: string;
  limit: string;
  all?: boolean;
}

/** The most executions of one page of the API. */
const MAX_PAGE = 100;
/** Reasons of skips that a user asked for: by a pause, a deletion or a change of the schedule. */
const REQUESTED = ['deleted', 'paused', 'superseded'];

export function addFailuresCommand(program: Command, run: Run): void {
  program
    .command('failures')
    .description('List failed and skipped executions of all jobs, without the skips that a user asked for.')
    .addOption(
      new Option('--status <status>', 'only executions with this status').choices(['failed', 'skipped']),
    )
    .option('--since <duration>', 'due within this time before now', '24h')
    .option('--from <instant>', 'due at this time or later, RFC 3339; overrides --since')
    .option('--to <instant>', 'due before this time')
    .option('--limit <n>', 'show at most this many', '100')
    .option('--all', 'also skips with the reasons deleted, paused and superseded')
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack failures --since 7d\n  quarterjack failures --status failed --json | jq length',
    )
    .action(run(listFailures));
}

async function listFailures(context: Context, flags: FailureFlags): Promise<void> {
  const sinceMs = durationOf('--since', flags.since);
  const from = flags.from ?? new Date(context.io.nowMs() - sinceMs).toISOString();
  const max = numberOf('--limit', flags.limit);
  const isFiltered = !flags.all && flags.status !== 'failed';
  // Most rows of a page may be left out, so a page is as large as the API permits.
  const limit = isFiltered ? MAX_PAGE : pageSizeOf(max);
  const client = context.client();
  const listing = client.failures({ status: flags.status, from, to: flags.to, limit });
  const found = isFiltered
    ? await unrequested(listing, max)
    : { shown: await listing.toArray(max), omitted: 0 };
  const zones = context.json ? new Map() : await new JobZones(client).ofAll(found.shown);
  printExecutions(context, found.shown, { withJob: true, zones });
  if (found.omitted > 0) context.say(omittedText(found.omitted));
}

/** The first `max` executions that no user asked for, and the number of the others among them. */
async function unrequested(
  listing: AsyncIterable<Execution>,
  max: number,
): Promise<{ shown: Execution[]; omitted: number }> {
  const shown: Execution[] = [];
  let omitted = 0;
  if (max === 0) return { shown, omitted };
  for await (const execution of listing) {
    if (execution.status === 'skipped' && REQUESTED.includes(execution.reason ?? '')) omitted++;
    else shown.push(execution);
    if (shown.length === max) break;
  }
  return { shown, omitted };
}

const omittedText = (count: number): string => {
  const [executions, them] = count === 1 ? ['execution is', 'it'] : ['executions are', 'them'];
  return `${count} skipped ${executions} left out (deleted, paused or superseded); --all shows ${them}.`;
};
