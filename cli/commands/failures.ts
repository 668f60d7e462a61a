import { type Command, Option } from 'commander';

import type { Context } from '../context';
import { durationOf, numberOf, pageSizeOf } from '../flag-values';
import type { Run } from '../run';
import { printExecutions } from './execution-text';

interface FailureFlags {
  status?: 'failed' | 'skipped';
  since: string;
  from?: string;
  to?: string;
  limit: string;
}

export function addFailuresCommand(program: Command, run: Run): void {
  program
    .command('failures')
    .description('List failed and skipped executions of all jobs.')
    .addOption(
      new Option('--status <status>', 'only executions with this status').choices(['failed', 'skipped']),
    )
    .option('--since <duration>', 'due within this time before now', '24h')
    .option('--from <instant>', 'due at this time or later, RFC 3339; overrides --since')
    .option('--to <instant>', 'due before this time')
    .option('--limit <n>', 'show at most this many', '100')
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
  const filter = { status: flags.status, from, to: flags.to, limit: pageSizeOf(max) };
  printExecutions(context, await context.client().failures(filter).toArray(max), { withJob: true });
}
