import { type Command, Option } from 'commander';

import type { FailureFilter, FailureGroups } from '../../client';
import { runBulk } from '../bulk/run-bulk';
import type { Context } from '../context';
import { CliError } from '../exit-codes';
import { addNote, collect, numberOf, pageSizeOf, tagFilters } from '../flag-values';
import { JobZones } from '../job-zones';
import type { Run } from '../run';
import { addRange, type RangeFlags, rangeOf } from '../time-flags';
import { singleLine } from '../terminal/printable';
import { texts } from '../terminal/table';
import { instantText } from '../terminal/times';
import { addFailureAckCommands } from './failure-acks';
import { printExecutions } from './execution-text';

/** Subcommands have the flags of `failures` itself. */
interface FailureFlags extends RangeFlags {
  status?: 'failed' | 'skipped';
  tag?: string[];
  host?: string;
  group?: string;
  blocksKey?: boolean;
  limit: string;
  all?: boolean;
}

export function addFailuresCommand(program: Command, run: Run): void {
  const failures = addRange(
    program
      .command('failures')
      .description('List failed and skipped executions of all jobs, without the skips that a user asked for.')
      .addOption(
        new Option('--status <status>', 'only executions with this status').choices(['failed', 'skipped']),
      ),
    'due',
    '24h',
  )
    .option('--tag <key:value>', 'only of jobs that have this tag now; repeat it to require several', collect)
    .option('--host <host>', 'only failures of HTTP targets of this host')
    .option('--group <fingerprint>', 'only failures of this cause, as failures groups shows it')
    .option('--blocks-key', 'only executions that block their ordering key')
    .option('--limit <n>', 'show at most this many', '100')
    .option('--all', 'also skips with the reasons deleted, paused and superseded')
    .addHelpText(
      'after',
      `
Examples:
  quarterjack failures --since 7d --tag team:billing
  quarterjack failures groups
  quarterjack failures retry --since 1h --host billing.example.com
  quarterjack failures --status failed --json | jq length`,
    )
    .action(run(listFailures));
  failures
    .command('groups')
    .description('Count failures by cause.')
    .addHelpText('after', '\nExamples:\n  quarterjack failures groups --since 7d --tag team:billing')
    .action(run((context: Context) => showGroups(context, flagsOf(failures, ['limit']))));
  addFailureAckCommands(failures, run);
  addNote(failures.command('retry'))
    .description('Retry what failed, oldest first; executions that share an ordering key one after another.')
    .option('--dry-run', 'only count what would be retried')
    .addHelpText(
      'after',
      `
Without --status skipped, only failed executions are retried.

Examples:
  quarterjack failures retry --since 1h --tag team:billing --dry-run
  quarterjack failures retry --group failed/attempts-exhausted/status/503/billing.example.com/1f0c9a2e`,
    )
    .action(
      run((context: Context, { dryRun }: { dryRun?: boolean }) =>
        retryFailures(context, flagsOf(failures, ['limit', 'all']), dryRun === true),
      ),
    );
}

/** The flags of `failures`, as a subcommand takes them. Throws a `CliError` for those in `without`. */
function flagsOf(failures: Command, without: readonly (keyof FailureFlags)[]): FailureFlags {
  for (const name of without)
    if (failures.getOptionValueSource(name) === 'cli')
      throw new CliError(`--${name} is for the list of failures alone`);
  return failures.opts<FailureFlags>();
}

function filterOf(context: Context, flags: FailureFlags) {
  const { status, host, group, blocksKey } = flags;
  return {
    status,
    ...rangeOf(flags, context.typedAt()),
    tag: tagFilters(flags.tag),
    host,
    fingerprint: group,
    blocksKey,
  } satisfies FailureFilter;
}

async function listFailures(context: Context, flags: FailureFlags): Promise<void> {
  const max = numberOf('--limit', flags.limit);
  const view = flags.all ? undefined : 'inbox';
  const filter = { ...filterOf(context, flags), view, limit: pageSizeOf(max) } as const;
  const client = context.client();
  const found = await client.failures(filter).toArray(max);
  const zones = context.json ? new Map() : await new JobZones(client).ofAll(found);
  printExecutions(context, found, { withJob: true, zones });
}

async function showGroups(context: Context, flags: FailureFlags): Promise<void> {
  const view = flags.all ? undefined : 'inbox';
  const found = await context.client().failureGroups({ ...filterOf(context, flags), view });
  context.print(found, () => (found.groups.length === 0 ? 'No failures.\n' : groupTable(found, context)));
  if (!found.complete && !context.json)
    context.say('There are more failures than were read: the counts are lower bounds. Narrow --since.');
}

const groupTable = ({ groups }: FailureGroups, { table }: Pick<Context, 'table'>): string =>
  table(
    [
      'COUNT',
      { head: 'JOBS', spare: 1 },
      { head: 'FIRST DUE (UTC)', spare: 4 },
      { head: 'LAST DUE (UTC)', spare: 3 },
      { head: 'BLOCKS', spare: 2 },
      'CAUSE',
      texts('EXCERPT'),
    ],
    groups.map(({ count, countIs, jobs, firstDueAt, lastDueAt, blocksKey, fingerprint, excerpt }) => [
      `${countIs === 'exact' ? '' : '≥ '}${count}`,
      String(jobs),
      instantText(firstDueAt),
      instantText(lastDueAt),
      blocksKey ? 'key' : '',
      singleLine(fingerprint),
      singleLine(excerpt ?? ''),
    ]),
  );

const retryFailures = (context: Context, flags: FailureFlags, dryRun: boolean) =>
  runBulk(context, {
    request: { action: 'retry', filter: filterOf(context, flags) },
    what: 'execution',
    done: 'retried',
    dryRun,
  });
