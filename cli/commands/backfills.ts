import { type Command, Option } from 'commander';

import {
  type Backfill,
  type BackfillFilter,
  type BackfillRequest,
  EXECUTION_STATUSES,
  type Quarterjack,
} from '../../client';
import type { Context } from '../context';
import { backfillIdOf } from '../execution-id';
import { ExitCode } from '../exit-codes';
import { addNote, collect, durationOf, numberOf, pageSizeOf } from '../flag-values';
import { interruptible } from '../interrupt';
import { JobZones } from '../job-zones';
import { rangeOf, type TypedAt } from '../time-flags';
import { valuesOf } from '../named-values';
import type { Run } from '../run';
import { progressOf } from '../terminal/progress';
import { plain } from '../terminal/table';
import { addYes, canAsk, confirmed } from './ask';
import { backfillTable, backfillText, datesText, endedOf, planText } from './backfill-text';
import { addBackfillControls } from './backfill-controls';

interface Flags {
  from: string;
  to: string;
  parallel?: string;
  all?: boolean;
  order?: BackfillRequest['order'];
  onFailure?: BackfillRequest['onFailure'];
  overlap?: BackfillRequest['overlap'];
  priority?: BackfillRequest['priority'];
  param?: string[];
  dryRun?: boolean;
  wait: boolean;
  interval: string;
  key?: string;
  yes?: boolean;
}

/** The run of a backfill is never planned, and passes no gate that would skip it. */
const STATUSES = EXECUTION_STATUSES.filter((status) => status !== 'scheduled' && status !== 'skipped');
const PRIORITIES = ['highest', 'high', 'medium', 'low', 'lowest'] as const;
const EXAMPLE = 'etl 20261201T083000.000Z-bf3k9x0c2m7q4t8v1b5n6d0f2h4j';

/** `backfill` starts and follows one; `backfills` lists, shows and controls them. */
export function addBackfillCommands(program: Command, run: Run): void {
  addStart(program, run);
  const backfills = program.command('backfills').description('Show and control backfills of jobs.');
  backfills
    .command('list [jobId]')
    .description('List the backfills of a job, or of all jobs, newest first.')
    .addOption(new Option('--status <status>', 'only backfills with this status').choices(STATUSES))
    .option('--limit <n>', 'show at most this many', '25')
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack backfills list etl\n  quarterjack backfills list --status running',
    )
    .action(run(list));
  backfills
    .command('show <jobId> <execId>')
    .description('Show a backfill, and how far it is.')
    .option('-w, --wait', 'follow it until it ends; exit code 8 unless it succeeded')
    .option('--interval <duration>', 'with --wait: time between two polls', '1s')
    .addHelpText('after', `\nExamples:\n  quarterjack backfills show ${EXAMPLE}`)
    .action(
      run(
        async (
          context: Context,
          { wait, interval }: { wait?: boolean; interval: string },
          jobId: string,
          typed: string,
        ) => {
          const client = context.client();
          const execId = await backfillIdOf(client, jobId, typed);
          const backfill = await client.backfills.get(jobId, execId);
          return wait ? follow(context, client, backfill, interval) : print(context, client, backfill);
        },
      ),
    );
  addBackfillControls(backfills, run, EXAMPLE);
}

async function list(
  context: Context,
  { limit, status }: { limit: string; status?: BackfillFilter['status'] },
  jobId: string | undefined,
): Promise<void> {
  const max = numberOf('--limit', limit);
  const filter = { limit: pageSizeOf(max), ...(status && { status }) };
  const { backfills } = context.client();
  const listing = jobId === undefined ? backfills.listAll(filter) : backfills.list(jobId, filter);
  const found = await listing.toArray(max);
  context.print(found, () =>
    found.length === 0 ? 'No backfills.\n' : backfillTable(found, context, jobId === undefined),
  );
}

function addStart(program: Command, run: Run): void {
  addYes(addNote(program.command('backfill <jobId>')))
    .description('Run a job once for each due time of its schedule in a range, and follow that.')
    .requiredOption('--from <time>', 'earliest due time, in the time zone of the job')
    .requiredOption('--to <time>', 'due times before this time')
    .option('--parallel <n>', 'run at most so many dates at once, 1 to 50 (default: 1)')
    .option('--all', 'also the dates that have succeeded already')
    .addOption(new Option('--order <order>', 'which date is first (default: asc)').choices(['asc', 'desc']))
    .addOption(
      new Option('--on-failure <policy>', 'stop: once a date has failed, start no other').choices([
        'continue',
        'stop',
      ]),
    )
    .addOption(
      new Option(
        '--overlap <policy>',
        'whether the overlap policy of the job holds (default: respect)',
      ).choices(['respect', 'ignore']),
    )
    .addOption(new Option('--priority <priority>', 'of the dates (default: low)').choices(PRIORITIES))
    .option('--param <name=value>', 'a parameter of each run, JSON or text; may be repeated', collect)
    .option('--dry-run', 'count the dates and estimate the cost, and start nothing')
    .option('--no-wait', 'start it and do not follow it')
    .option('--interval <duration>', 'time between two polls', '1s')
    .option('--key <text>', 'start it only once under this key')
    .addHelpText(
      'after',
      `
Examples:
  quarterjack backfill etl --from 2026-11-01 --to 2026-12-01 --dry-run
  quarterjack backfill etl --from 2026-11-01 --to 2026-12-01 --parallel 3`,
    )
    .action(run(start));
}

async function start(context: Context, flags: Flags, jobId: string): Promise<ExitCode> {
  const client = context.client();
  const zone = await new JobZones(client).of(jobId);
  const request = requestOf(flags, context.typedAt(zone ?? 'UTC'));
  if (flags.dryRun) {
    const plan = await client.backfills.dryRun(jobId, request);
    context.print(plan, () => planText(plan, context, zone));
    sayIfSerial(context, request, plan);
    return ExitCode.ok;
  }
  if (!flags.yes && canAsk(context.io)) {
    const plan = await client.backfills.dryRun(jobId, request);
    context.say(planText(plan, context, zone));
  }
  const dates = plain(`the dates of ${jobId} from ${flags.from} to ${flags.to}`);
  if (!(await confirmed(context, `Run ${dates}?`, flags.yes))) return ExitCode.failed;
  const started = await client.backfills.start(jobId, request, { idempotencyKey: flags.key });
  sayIfSerial(context, request, started);
  if (flags.wait) return follow(context, client, started, flags.interval);
  context.print(
    started,
    () => `Backfilling ${started.count} dates of ${plain(jobId)} as ${started.execId}.\n`,
  );
  return ExitCode.ok;
}

/** Fewer dates at once than were asked for. */
function sayIfSerial({ say }: Context, request: BackfillRequest, { parallel }: { parallel: number }): void {
  if (request.parallel === undefined || parallel >= request.parallel) return;
  say(
    'One date runs at a time, because the overlap policy of the job is not allow. ' +
      `With --overlap ignore, ${request.parallel} run at once.`,
  );
}

function requestOf(flags: Flags, at: TypedAt): BackfillRequest {
  const { order, onFailure, overlap, priority, parallel, param } = flags;
  return {
    ...rangeOf(flags, at),
    ...(parallel !== undefined && { parallel: numberOf('--parallel', parallel) }),
    ...(flags.all && { only: 'all' as const }),
    ...(order && { order }),
    ...(onFailure && { onFailure }),
    ...(overlap && { overlap }),
    ...(priority && { priority }),
    ...(param && { params: valuesOf('--param', param) }),
  };
}

async function print(context: Context, client: Quarterjack, backfill: Backfill): Promise<ExitCode> {
  const zone = context.json ? undefined : await new JobZones(client).of(backfill.jobId);
  context.print(backfill, () => backfillText(backfill, context, zone));
  return ExitCode.ok;
}

/** Shows the progress until the backfill ends. Ctrl-C ends the watching alone, and says how to go on. */
async function follow(
  context: Context,
  client: Quarterjack,
  { jobId, execId, count }: Backfill,
  interval: string,
): Promise<ExitCode> {
  const intervalMs = durationOf('--interval', interval);
  context.say(`Backfilling ${count} dates of ${plain(jobId)} as ${execId} …`);
  const bar = progressOf(context.io, 'dates', count);
  let [seen, last]: [number, Backfill | undefined] = [0, undefined];
  const onProgress = (backfill: Backfill) => {
    last = backfill;
    const ended = endedOf(backfill.items);
    if (ended !== seen) bar.step(ended - seen);
    seen = ended;
  };
  const watch = async (signal: AbortSignal) => {
    try {
      return await client.backfills.wait(jobId, execId, { intervalMs, signal, onProgress });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      bar.clear();
    }
  };
  const { result: ended } = await interruptible(context.io, watch, 'Stopped following.');
  if (!ended) {
    const done = last ? `${datesText(last)} dates are done. ` : '';
    context.say(
      `${done}The backfill goes on. To follow it: quarterjack backfills show ${jobId} ${execId} --wait\n` +
        `To stop it: quarterjack backfills pause|cancel ${jobId} ${execId}`,
    );
    return ExitCode.interrupted;
  }
  await print(context, client, ended);
  if (ended.status === 'succeeded') return ExitCode.ok;
  context.say(`To run what has failed again: quarterjack backfills retry ${jobId} ${execId}`);
  return ExitCode.notSucceeded;
}
