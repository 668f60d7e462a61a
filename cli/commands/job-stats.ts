import type { Command } from 'commander';

import type { JobStats } from '../../client';
import type { Context } from '../context';
import { CliError } from '../exit-codes';
import { durationOf } from '../flag-values';
import type { Run } from '../run';
import { plural } from '../terminal/plural';
import { fields } from '../terminal/table';
import { instantText, spanText } from '../terminal/times';

const DAY_MS = 86_400_000;

export function addJobStats(jobs: Command, run: Run): void {
  jobs
    .command('stats <jobId>')
    .description('Show how a job’s executions went: success rate, durations, lateness, cost.')
    .option('--since <duration>', 'due within this time before now: 1d to 365d, whole days', '30d')
    .addHelpText('after', '\nExamples:\n  quarterjack jobs stats report --since 7d')
    .action(
      run(async (context: Context, { since }: { since: string }, jobId: string) => {
        const stats = await context.client().jobs.stats(jobId, daysOf(since));
        context.print(stats, () => statsText(stats, context));
      }),
    );
}

/** What the API takes. */
const MAX_DAYS = 365;

function daysOf(since: string): number {
  const ms = durationOf('--since', since);
  if (ms % DAY_MS === 0 && ms <= MAX_DAYS * DAY_MS) return ms / DAY_MS;
  throw new CliError(
    `--since is ${JSON.stringify(since)}; expected whole days such as 7d, at most ${MAX_DAYS}d`,
  );
}

function statsText(stats: JobStats, { style }: Pick<Context, 'style'>): string {
  const { counts, successRate, cost, rows, complete, since } = stats;
  const by = Object.entries(counts).map(([status, count]) => `${count} ${status}`);
  const newest = complete
    ? undefined
    : `the newest ${rows} records: since ${since ? instantText(since) : ''}Z`;
  return fields([
    ['job', style.strong(stats.jobId)],
    ['from', `${instantText(stats.from)}Z to ${instantText(stats.to)}Z`],
    ['executions', by.join(', ') || 'none'],
    ['counted', newest],
    ['success', successRate === null ? undefined : `${(successRate * 100).toFixed(1)} %`],
    ['duration', spreadText(stats.durationMs)],
    ['lateness', spreadText(stats.latenessMs)],
    [
      'cost',
      `about $${cost.usdAtLeast.toFixed(6)} to $${cost.usdAtMost.toFixed(6)} for ${plural(cost.attempts, 'attempt')}`,
    ],
  ]);
}

const spreadText = (spread: JobStats['durationMs']): string | undefined =>
  spread
    ? `p50 ${spanText(spread.p50)}, p95 ${spanText(spread.p95)}, longest ${spanText(spread.max)}`
    : undefined;
