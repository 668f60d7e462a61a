import { type Command, Option } from 'commander';

import type { BulkFilter, JobStatus } from '../../client';
import { placeName } from '../commands/ask';
import type { Context } from '../context';
import { CliError } from '../exit-codes';
import { addJobFilterFlags, type JobFilterFlags, jobFilterOf } from '../job-filter-flags';
import { plain } from '../terminal/table';

/** The flags of a command that acts on everything that they select. */
export interface BulkFlags extends JobFilterFlags {
  status?: JobStatus;
  all?: boolean;
  dryRun?: boolean;
}

export const addBulkFlags = (command: Command): Command =>
  addJobFilterFlags(command)
    .addOption(
      new Option('--status <status>', 'only jobs with this status').choices([
        'active',
        'paused',
        'completed',
      ]),
    )
    .option('--all', 'every job of the project')
    .option('--dry-run', 'only count what is selected');

/** The filter that the flags mean; undefined without one. Throws a `CliError` for `--all` with a filter. */
export function bulkFilterOf({ status, all, ...flags }: BulkFlags): BulkFilter | undefined {
  const filter = { status, ...jobFilterOf(flags) };
  const isEmpty = Object.values(filter).every((value) => value === undefined);
  if (all && !isEmpty) throw new CliError('--all selects every job: leave out the flags that select some');
  return isEmpty && !all ? undefined : filter;
}

/** ` with the tag team:billing`: which jobs the flags select, for a question. */
export function selectionText({ all, ...flags }: BulkFlags, context: Pick<Context, 'connection'>): string {
  if (all) return ` of ${placeName(context)}`;
  const { tag = [], prefix, contains, kind, pool, target, status } = flags;
  const parts = [
    ...(tag.length > 0 ? [`with the tag ${tag.join(' and ')}`] : []),
    ...(prefix === undefined ? [] : [`beginning with ${prefix}`]),
    ...(contains === undefined ? [] : [`with the text ${contains}`]),
    ...(kind === undefined ? [] : [`of the kind ${kind}`]),
    ...(pool === undefined ? [] : [`in the pool ${pool}`]),
    ...(target === undefined ? [] : [`with the target ${target}`]),
    ...(status === undefined ? [] : [`that are ${status}`]),
  ];
  return parts.length === 0 ? '' : plain(` ${parts.join(', ')}`);
}
