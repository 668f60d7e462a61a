import type { Command } from 'commander';

import type { JobStats } from '../../client';
import type { Context } from '../context';
import { numberOf } from '../flag-values';
import type { Run } from '../run';
import { fields } from '../terminal/table';
import { instantText } from '../terminal/times';

export function addJobStats(jobs: Command, run: Run): void {
  jobs
    .command('stats <jobId>')
    .description('Show how a job’s executions went: success rate, durations, lateness, cost.')
    .option('--days <n>', 'executions due within so many days before now, 1 to 365', '30')
    .addHelpText('after', '\nExamples:\n  quarterjack jobs stats report --days 7')
    .action(
      run(async (context: Context, { days }: { days: string }, jobId: string) => {
        const stats = await context.client().jobs.stats(jobId, numberOf('--days', days));
        context.print(stats, () => statsText(stats, context));
      }),
    );
}

function statsText(stats: JobStats, { style }: Pick<Context, 'style'>): string {
  const { counts, successRate, cost, rows, complete, since } = stats;
  const by = Object.entries(counts).map(([status, count]) => `${count} ${status}`);
  const newest = complete ? '' : `, the newest ones: since ${since ? instantText(since) : ''}Z`;
  return fields([
    ['job', style.strong(stats.jobId)],
    ['from', `${instantText(stats.from)}Z to ${instantText(stats.to)}Z`],
    ['rows', `${rows}${newest}`],
    ['executions', by.join(', ') || 'none'],
    ['success', successRate === null ? undefined : `${(successRate * 100).toFixed(1)} %`],
    ['duration', spreadText(stats.durationMs)],
    ['lateness', spreadText(stats.latenessMs)],
    ['cost', `about $${cost.usdAtLeast.toFixed(6)} to $${cost.usdAtMost.toFixed(6)} for ${attempts(cost)}`],
  ]);
}

const attempts = ({ attempts: count }: JobStats['cost']): string =>
  `${count} attempt${count === 1 ? '' : 's'}`;

const spreadText = (spread: JobStats['durationMs']): string | undefined =>
  spread ? `p50 ${spread.p50} ms, p95 ${spread.p95} ms, longest ${spread.max} ms` : undefined;
