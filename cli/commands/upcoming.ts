import type { Command } from 'commander';

import type { UpcomingOfJobs } from '../../client';
import type { Context } from '../context';
import { numberOf } from '../flag-values';
import { addJobFilterFlags, type JobFilterFlags, jobFilterOf } from '../job-filter-flags';
import type { Run } from '../run';
import { singleLine } from '../terminal/printable';
import { texts } from '../terminal/table';
import { rangeOf } from '../time-flags';
import { instantText, relative, withWeekday } from '../terminal/times';

interface UpcomingFlags extends JobFilterFlags {
  from?: string;
  to?: string;
  limit: string;
}

const BECAUSE: Record<UpcomingOfJobs['incompleteBecause'][number], string> = {
  jobs: 'more than 2,000 jobs pass the filter',
  time: 'the request took too long',
};

export function addUpcomingCommand(program: Command, run: Run): void {
  addJobFilterFlags(program.command('upcoming').description('List the next due times of all jobs, in order.'))
    .option('--from <time>', 'due at this time or later (default: now)')
    .option('--to <time>', 'due before this time (default: 24 hours after --from)')
    .option('--limit <n>', 'show at most this many, 1 to 500', '25')
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack upcoming --limit 100\n  quarterjack upcoming --tag team:billing --to 2026-12-24',
    )
    .action(
      run(async (context: Context, { from, to, limit, ...flags }: UpcomingFlags) => {
        const filter = {
          ...rangeOf({ from, to }, context.typedAt()),
          limit: numberOf('--limit', limit),
          ...jobFilterOf(flags),
        };
        const upcoming = await context.client().upcoming(filter);
        context.print(upcoming, () => upcomingText(upcoming, context));
        const why = upcoming.incompleteBecause.map((one) => BECAUSE[one]).join(', and ');
        if (why) context.say(`The list may be incomplete: ${why}. Filter the jobs.`);
      }),
    );
}

function upcomingText(
  { items, from, to }: UpcomingOfJobs,
  { io, table }: Pick<Context, 'io' | 'table'>,
): string {
  if (items.length === 0) return `Nothing is due from ${instantText(from)}Z to ${instantText(to)}Z.\n`;
  return table(
    ['DUE', 'IN', 'JOB', { ...texts('NAME'), spare: 1 }],
    items.map(({ at, local, jobId, name }) => [
      withWeekday(local),
      relative(at, io.nowMs()).replace(/^in /, ''),
      jobId,
      singleLine(name ?? ''),
    ]),
  );
}
