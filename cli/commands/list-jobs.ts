import { type Command, Option } from 'commander';

import { EXECUTION_STATUSES, type ExecutionStatus, type JobStatus, type JobSummary } from '../../client';
import type { Context } from '../context';
import { numberOf, pageSizeOf } from '../flag-values';
import { addJobFilterFlags, type JobFilterFlags, jobFilterOf } from '../job-filter-flags';
import type { Run } from '../run';
import { describeSchedule, timeZoneOf } from '../schedule-text';
import { plural } from '../terminal/plural';
import { statusText } from '../terminal/style';
import { singleLine } from '../terminal/printable';
import { texts } from '../terminal/table';
import { relative, timeText } from '../terminal/times';

type LastStatus = Exclude<ExecutionStatus, 'scheduled'>;

interface ListFlags extends JobFilterFlags {
  status?: JobStatus;
  lastStatus?: LastStatus;
  limit: string;
}

/** The most summaries of one page of the API. */
const MAX_SUMMARIES = 500;
const LAST_STATUSES = EXECUTION_STATUSES.filter((status) => status !== 'scheduled');

export function addListJobs(jobs: Command, run: Run): void {
  const command = jobs
    .command('list')
    .description('List jobs, sorted by id.')
    .addOption(
      new Option('--status <status>', 'only jobs with this status').choices([
        'active',
        'paused',
        'completed',
      ]),
    )
    .addOption(
      new Option('--last-status <status>', 'only jobs whose newest execution has this status').choices(
        LAST_STATUSES,
      ),
    );
  addJobFilterFlags(command)
    .option('--limit <n>', 'show at most this many', '100')
    .addHelpText(
      'after',
      `
The table shows the status of each job’s newest execution. With --json, each job is printed as jobs get does,
without its last execution.

Examples:
  quarterjack jobs list --tag team:billing --status active
  quarterjack jobs list --last-status failed
  quarterjack jobs list --json --limit 10000 | jq -r '.[].jobId'`,
    )
    .action(run(listJobs));
}

async function listJobs(context: Context, { status, lastStatus, limit, ...flags }: ListFlags): Promise<void> {
  const max = numberOf('--limit', limit);
  const filter = { status, lastStatus, ...jobFilterOf(flags) };
  const { jobs } = context.client();
  // One job more than is shown tells whether there are more.
  const found = context.json
    ? await jobs.list({ ...filter, limit: pageSizeOf(max + 1) }).toArray(max + 1)
    : await jobs.summaries({ ...filter, limit: pageSizeOf(max + 1, MAX_SUMMARIES) }).toArray(max + 1);
  const shown = found.slice(0, max);
  context.print(shown, () => (shown.length === 0 ? 'No jobs.\n' : jobTable(shown as JobSummary[], context)));
  if (found.length > max)
    context.say(`There are more than ${plural(max, 'job')}: raise --limit, or filter the list.`);
}

/** Jobs as a table. What is due next is on the clocks of the schedule. */
export function jobTable(
  jobs: readonly JobSummary[],
  { style, io, table }: Pick<Context, 'style' | 'io' | 'table'>,
): string {
  return table(
    [
      'JOB',
      'STATUS',
      { head: 'LAST', spare: 1 },
      'NEXT',
      { head: 'DUE', spare: 3 },
      texts('SCHEDULE'),
      { ...texts('NAME'), spare: 2 },
    ],
    jobs.map(({ jobId, status, lastExecution, nextFireAt, schedule, name }) => [
      jobId,
      statusText(status, style),
      lastExecution ? statusText(lastExecution.status, style) : style.dim('–'),
      nextFireAt ? relative(nextFireAt, io.nowMs()) : style.dim('–'),
      nextFireAt ? timeText(nextFireAt, timeZoneOf(schedule)) : '',
      singleLine(describeSchedule(schedule)),
      singleLine(name ?? ''),
    ]),
  );
}
