/**
 * Measures what worker jobs cost for which no worker comes. All of them fire once a minute, spread over its
 * seconds. The real stages run on virtual time, over tables in memory that answer as DynamoDB does. It prints
 * a line for each minute: writes and calls for each fire, and the tickets that stand in the work queue. The
 * line also says how late the HTTP jobs of another project are. If the lines do not rise, a day is the same.
 *
 * `npm run bench:no-worker -- [--jobs 10000] [--minutes 20] [--shards 16] [--json]`
 */
import { chunksOf } from '../../lambdas/core/async/chunks';
import { MeteredDeployment } from '../cost/metered-deployment';
import { difference, STAGES, type Totals } from '../cost/usage';
import { machine, machineLine } from '../support/machine';
import { numbersFrom } from '../support/options';
import { note, printJson, run, say, table, wantsJson } from '../support/output';
import { percentile } from '../support/percentiles';

const MINUTE_MS = 60_000;
/** Jobs in one request. */
const BATCH = 100;
/** HTTP jobs of the other project, one a second. */
const OTHERS = 60;
/** The first fires of all jobs are over, and so are their first rechecks. */
const WARM_UP_MINUTES = 3;
/** A fire whose work no worker claims, on average over the minutes: `docs/performance.md`. */
const MOST_WRITES = 9;

interface Minute {
  writesPerFire: number;
  callsPerFire: number;
  tickets: number;
  p99LateMs: number;
  heapMb: number;
}

const everyMinute = (index: number) => ({ type: 'cron', expression: `${index % 60} * * * * *` });

async function play(jobs: number, minutes: number, shards: number): Promise<Minute[]> {
  const deployment = await MeteredDeployment.started(shards, { auditor: false });
  const { clock, tables } = deployment;
  let lateMs: number[] = [];
  deployment.call = async (_target, { headers }) => {
    lateMs.push(clock.nowMs() - Date.parse(headers['quarterjack-due']!));
    await clock.sleep(50);
    return { outcome: 'succeeded', statusCode: 200, body: 'ok' };
  };
  const create = async (definitions: readonly object[], project: string): Promise<void> => {
    for (const some of chunksOf([...definitions], BATCH))
      await deployment.request('createJobs', {}, { jobs: some }, { project });
  };
  const http = { type: 'http', url: 'https://example.com/hook' };
  await create(
    Array.from({ length: OTHERS }, (_, index) => ({ schedule: everyMinute(index), target: http })),
    'bob',
  );
  await deployment.run(WARM_UP_MINUTES * MINUTE_MS);
  lateMs = [];
  const alone = deployment.totals();
  await deployment.run(MINUTE_MS);
  const others = difference(deployment.totals(), alone);
  note(`${OTHERS} jobs of another project alone: p99 ${percentile(lateMs, 0.99)} ms late`);

  const worker = { type: 'worker', queue: 'unclaimed' };
  await create(
    Array.from({ length: jobs }, (_, index) => ({ schedule: everyMinute(index), target: worker })),
    'alice',
  );
  await deployment.run(WARM_UP_MINUTES * MINUTE_MS);
  const results: Minute[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    lateMs = [];
    const before = deployment.totals();
    await deployment.run(MINUTE_MS);
    const all = difference(deployment.totals(), before);
    results.push({
      writesPerFire: (all.writeUnits - others.writeUnits) / jobs,
      callsPerFire: (callsIn(all) - callsIn(others)) / jobs,
      tickets: tables.rows('schedule').filter(({ bucket }) => String(bucket).startsWith('#work#')).length,
      p99LateMs: percentile(lateMs, 0.99),
      heapMb: Math.round(process.memoryUsage().heapUsed / 1e6),
    });
    const { writesPerFire, p99LateMs, heapMb } = results.at(-1)!;
    note(`minute ${minute}: ${writesPerFire.toFixed(2)} writes a fire, p99 ${p99LateMs} ms, ${heapMb} MB`);
  }
  return results;
}

const callsIn = ({ stages }: Totals): number =>
  STAGES.reduce((sum, stage) => sum + stages[stage].sdkCalls, 0);

run('bench:no-worker', async () => {
  const { jobs, minutes, shards } = numbersFrom({ jobs: 10_000, minutes: 20, shards: 16 });
  const results = await play(jobs, minutes, shards);
  if (wantsJson()) printJson({ machine: machine(), jobs, shards, results });
  else {
    say(
      table(
        ['minute', 'writes a fire', 'calls a fire', 'tickets', "others' p99, ms", 'heap, MB'],
        results.map((one, index) => [
          index + 1,
          one.writesPerFire.toFixed(2),
          one.callsPerFire.toFixed(2),
          one.tickets,
          one.p99LateMs,
          one.heapMb,
        ]),
      ),
    );
    say(machineLine(machine()));
  }
  const writes = results.reduce((sum, { writesPerFire }) => sum + writesPerFire, 0) / results.length;
  if (writes > MOST_WRITES) process.exitCode = 1;
});
