/**
 * Measures what a tenant whose executions wait does to the others of its rule. Each tenant has a concurrency
 * key of its own, which its payload makes, and one execution at a time. The others have one execution each in
 * one minute. The bench measures their lateness twice: alone, and while the executions of one tenant wait.
 * The real stages run on virtual time, over tables in memory that answer as DynamoDB does within a region.
 * The figure is therefore the same on any machine.
 *
 * `npm run bench:keys -- [--waiting 1000] [--others 9999] [--json]`
 */
import { chunksOf } from '../../lambdas/core/async/chunks';
import { SLOTS } from '../../lambdas/core/contracts/tables';
import { MeteredDeployment } from '../cost/metered-deployment';
import { numbersFrom } from '../support/options';
import { printJson, run, say, table, wantsJson } from '../support/output';
import { percentile } from '../support/percentiles';

const MINUTE_MS = 60_000;
/** Jobs in one request. */
const BATCH = 100;
/** The scanner has not reached the minutes when the last job is registered. */
const AHEAD_MS = 20 * MINUTE_MS;
/** By then all executions of the loud tenant but one wait. */
const LOUD_BEFORE_MS = 3 * MINUTE_MS;
/** So slow that most of them still wait at the end. */
const LOUD_CALL_MS = 10_000;
const DRAINED_AFTER_MS = 2 * MINUTE_MS;
/** How much later the others may be, at the 99th percentile: a step of the stages' polling. */
const MOST_MS = 50;

const RULE = 'tenant.*';
const target = { type: 'http', url: 'https://example.com/hook' };

const jobOf = (jobId: string, tenant: string, dueMs: number) => ({
  jobId,
  schedule: { type: 'at', at: new Date(dueMs).toISOString() },
  concurrencyKey: 'tenant.{{ payload.tenant }}',
  payload: { tenant },
  target,
});

interface Period {
  latenessMs: number[];
  /** Executions that had a ticket at the end of the others' minute. */
  waiting: number;
}

async function measure(waiting: number, others: number): Promise<Period> {
  const deployment = await MeteredDeployment.started(1, { auditor: false });
  const { clock } = deployment;
  const latenessMs: number[] = [];
  deployment.call = async (_, { headers }) => {
    if (headers['quarterjack-job']!.startsWith('loud-')) await clock.sleep(LOUD_CALL_MS);
    else latenessMs.push(clock.nowMs() - Date.parse(headers['quarterjack-due']!));
    return { outcome: 'succeeded', statusCode: 200 };
  };
  await deployment.request('putConcurrencyKey', { key: RULE }, { limit: 1 });
  const fromMs = Math.ceil((clock.nowMs() + AHEAD_MS) / MINUTE_MS) * MINUTE_MS;
  const loud = Array.from({ length: waiting }, (_, index) =>
    jobOf(`loud-${index}`, 'loud', fromMs - LOUD_BEFORE_MS + index * 10),
  );
  const calm = Array.from({ length: others }, (_, index) =>
    jobOf(`calm-${index}`, `calm-${index}`, fromMs + Math.floor((index * MINUTE_MS) / others)),
  );
  for (const jobs of chunksOf([...loud, ...calm], BATCH))
    await deployment.request('createJobs', {}, { jobs });
  await deployment.run(fromMs - clock.nowMs() + MINUTE_MS);
  const tickets = deployment.tables
    .rows('schedule')
    .filter(({ bucket, entry }) => String(bucket).startsWith(SLOTS) && !String(entry).startsWith('#'));
  await deployment.run(DRAINED_AFTER_MS);
  return { latenessMs, waiting: tickets.length };
}

const lateness = ({ latenessMs }: Period) =>
  [0.5, 0.99, 1].map((share) => Math.round(percentile(latenessMs, share)));

run('bench:keys', async () => {
  const { waiting, others } = numbersFrom({ waiting: 1_000, others: 9_999 });
  const alone = await measure(0, others);
  const beside = await measure(waiting, others);
  const [p99Alone, p99Beside] = [lateness(alone)[1]!, lateness(beside)[1]!];
  const hasAll = alone.latenessMs.length === others && beside.latenessMs.length === others;
  const isReached = hasAll && p99Beside - p99Alone <= MOST_MS;
  if (wantsJson())
    printJson({ waiting: beside.waiting, alone: lateness(alone), beside: lateness(beside), isReached });
  else {
    say(
      table(
        ['executions of others', 'waiting', 'arrived', 'late p50, ms', 'p99, ms', 'max, ms'],
        [alone, beside].map((period) => [
          others,
          period.waiting,
          period.latenessMs.length,
          ...lateness(period),
        ]),
      ),
    );
    say(`\nAt most ${MOST_MS} ms later at the 99th percentile: ${isReached ? 'yes' : 'no'}.`);
  }
  if (!isReached) process.exitCode = 1;
});
