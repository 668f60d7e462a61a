/**
 * Measures how far the sweep falls behind when many executions end in one minute of one shard. Each end has
 * follow-ups: it releases an overlap lock, or an ordering key too. The real stages run on virtual time,
 * over tables in memory that answer as DynamoDB does within a region. The figure is therefore the same on any
 * machine.
 *
 * `npm run bench:gates -- [--executions 10000] [--keys 2000] [--json]`
 *
 * `--keys`: how many ordering keys the ordered half of the jobs share.
 */
import { chunksOf } from '../../lambdas/core/async/chunks';
import { Metric } from '../../lambdas/core/contracts/metrics';
import { MeteredDeployment } from '../cost/metered-deployment';
import { numbersFrom } from '../support/options';
import { printJson, run, say, table, wantsJson } from '../support/output';

const MINUTE_MS = 60_000;
/** Jobs in one request. */
const BATCH = 100;
/** The scanner has not reached the minute when the last job is registered. */
const AHEAD_MS = 20 * MINUTE_MS;
/** After the last due time: retries of messages, rechecks and follow-ups are over. */
const SETTLED_AFTER_MS = 10 * MINUTE_MS;
/** What `docs/performance.md` promises. */
const MOST_SEC = 30;

const target = { type: 'http', url: 'https://example.com/hook' };

/** Jobs of one minute. Every second one shares an ordering key; all of them have an overlap lock. */
function jobsOf(executions: number, keys: number, fromMs: number) {
  return Array.from({ length: executions }, (_, index) => ({
    jobId: `job-${index}`,
    schedule: { type: 'at', at: new Date(fromMs + (index * MINUTE_MS) / executions).toISOString() },
    overlap: 'skip',
    target,
    ...(index % 2 === 0 && { orderingKey: `key-${(index / 2) % keys}` }),
  }));
}

async function measure(executions: number, keys: number) {
  const deployment = await MeteredDeployment.started(1, { auditor: false });
  const { clock, meter } = deployment;
  const fromMs = Math.ceil((clock.nowMs() + AHEAD_MS) / MINUTE_MS) * MINUTE_MS;
  for (const jobs of chunksOf(jobsOf(executions, keys, fromMs), BATCH))
    await deployment.request('createJobs', {}, { jobs });
  await deployment.run(fromMs - clock.nowMs());
  const before = meter.values(Metric.sweepLagSec).length;
  await deployment.run(MINUTE_MS + SETTLED_AFTER_MS);
  const lagsSec = meter.values(Metric.sweepLagSec).slice(before);
  return {
    executions,
    keys,
    succeeded: meter.total(Metric.succeeded),
    sweeps: lagsSec.length,
    maxSweepLagSec: Math.max(...lagsSec),
    lastSweepLagSec: lagsSec.at(-1)!,
  };
}

run('bench:gates', async () => {
  const { executions, keys } = numbersFrom({ executions: 10_000, keys: 2_000 });
  const result = await measure(executions, keys);
  const isReached = result.succeeded === executions && result.maxSweepLagSec < MOST_SEC;
  if (wantsJson()) printJson({ ...result, isReached });
  else {
    say(
      table(
        ['gated ends in a minute and shard', 'succeeded', 'sweeps', 'largest sweep lag, s', 'at the end, s'],
        [[executions, result.succeeded, result.sweeps, result.maxSweepLagSec, result.lastSweepLagSec]],
      ),
    );
    say(`\nBelow ${MOST_SEC} s: ${isReached ? 'yes' : 'no'}.`);
  }
  if (!isReached) process.exitCode = 1;
});
