import { type Command, Option } from 'commander';

import { EXECUTION_STATUSES, type ExecutionStatus, type JobStatus, type JobSummary } from '../../client';
import type { Context } from '../context';
import { numberOf, pageSizeOf } from '../flag-values';
import { addJobFilterFlags, type JobFilterFlags, jobFilterOf } from '../job-filter-flags';
import type { Run } from '../run';
import { describeSchedule, timeZoneOf } from '../schedule-text';
import { plural } from '../terminal/plural';
import { statusText } from '../terminal/style';
import { plain, table } from '../terminal/table';
import { instantText, localText, relative } from '../terminal/times';

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

/** Jobs as a table. It has a column for local times if one of the jobs has a time zone. */
export function jobTable(jobs: readonly JobSummary[], { style, io }: Pick<Context, 'style' | 'io'>): string {
  const isLocal = jobs.some(({ schedule }) => timeZoneOf(schedule) !== undefined);
  return table(
    ['JOB', 'STATUS', 'LAST', 'NEXT', 'NEXT (UTC)', ...(isLocal ? ['NEXT (LOCAL)'] : []), 'SCHEDULE', 'NAME'],
    jobs.map(({ jobId, status, lastExecution, nextFireAt, schedule, name }) => [
      jobId,
      statusText(status, style),
      lastExecution ? statusText(lastExecution.status, style) : style.dim('–'),
      nextFireAt ? relative(nextFireAt, io.nowMs()) : style.dim('–'),
      nextFireAt ? instantText(nextFireAt) : '',
      ...(isLocal ? [(nextFireAt && localText(nextFireAt, timeZoneOf(schedule))) ?? ''] : []),
      plain(describeSchedule(schedule), 40),
      plain(name ?? '', 40),
    ]),
  );
}
