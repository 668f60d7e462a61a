/**
 * Measures claims of workers: all claim from one queue, then the same workers from four. The real stages run
 * on virtual time, over tables in memory that answer as DynamoDB does within a region. It prints two figures.
 * Claims a second of virtual time fall where workers meet at a ticket. Claims a second of one processor
 * depend on the machine. The third part is how late workers are that always wait, by virtual time too.
 *
 * `npm run bench:claims -- [--claims 2000] [--workers 24] [--jobs 500] [--json]`
 */
import { chunksOf } from '../../lambdas/core/async/chunks';
import { MeteredDeployment } from '../cost/metered-deployment';
import { machine, machineLine } from '../support/machine';
import { numbersFrom } from '../support/options';
import { printJson, run, say, table, wantsJson } from '../support/output';
import { percentile } from '../support/percentiles';
import { FakeRandom } from '../../test/support/fake-random';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** Jobs in one request. */
const BATCH = 100;
const AHEAD_MS = 20 * MINUTE_MS;
const OFFERED_AFTER_MS = 30 * SECOND_MS;
const STEP_MS = 100;
/** What `docs/performance.md` promises, by the number of queues. */
const LEAST_PER_SEC = { 1: 150, 4: 300 } as const;

/** What a waiting worker may be late, p99. */
const MOST_LATE_MS = 700;
const WAITING_WORKERS = 4;
const WAITING_FOR_MS = 10 * MINUTE_MS;

type QueueCount = keyof typeof LEAST_PER_SEC;

const queueOf = (index: number, queues: number): string => `queue-${index % queues}`;

async function measure(queues: QueueCount, claims: number, workers: number) {
  const deployment = await MeteredDeployment.started(1, { auditor: false });
  const { clock } = deployment;
  const dueMs = Math.ceil((clock.nowMs() + AHEAD_MS) / MINUTE_MS) * MINUTE_MS;
  const schedule = { type: 'at', at: new Date(dueMs).toISOString() };
  const jobs = Array.from({ length: claims }, (_, index) => ({
    jobId: `job-${index}`,
    schedule,
    target: { type: 'worker', queue: queueOf(index, queues), startWithin: '1h' },
  }));
  for (const some of chunksOf(jobs, BATCH)) await deployment.request('createJobs', {}, { jobs: some });
  await deployment.run(dueMs + OFFERED_AFTER_MS - clock.nowMs());
  let claimed = 0;
  const claim = async (queue: string): Promise<void> => {
    for (
      let work = await deployment.claim(queue, 1);
      work.length > 0;
      work = await deployment.claim(queue, 1)
    )
      claimed += work.length;
  };
  const startMs = clock.nowMs();
  const startCpu = process.cpuUsage();
  let open = workers;
  for (let index = 0; index < workers; index++)
    void claim(queueOf(index, queues)).then(() => {
      open -= 1;
    });
  while (open > 0) await deployment.run(STEP_MS);
  const { user, system } = process.cpuUsage(startCpu);
  const virtualSec = (clock.nowMs() - startMs) / SECOND_MS;
  const perSec = Math.round(claimed / virtualSec);
  return {
    queues,
    workers,
    claimed,
    perSec,
    perCpuSec: Math.round(claimed / ((user + system) / 1_000_000)),
    isReached: claimed === claims && perSec >= LEAST_PER_SEC[queues],
  };
}

/** How late workers that always wait begin: from the due time of their work to its claim. */
async function waiting(jobs: number, workers: number) {
  const deployment = await MeteredDeployment.started(1, { auditor: false });
  const { clock } = deployment;
  const random = new FakeRandom(3);
  const fromMs = clock.nowMs() + AHEAD_MS;
  const later = Array.from({ length: jobs }, (_, index) => {
    const at = new Date(fromMs + random.fraction() * WAITING_FOR_MS).toISOString();
    const target = { type: 'worker', queue: 'queue-0', startWithin: '1h' };
    return { jobId: `job-${index}`, schedule: { type: 'at', at }, target };
  });
  for (const some of chunksOf(later, BATCH)) await deployment.request('createJobs', {}, { jobs: some });
  const lateMs: number[] = [];
  const work = async (): Promise<void> => {
    while (lateMs.length < jobs)
      for (const one of await deployment.claim('queue-0', 1, '20s')) {
        lateMs.push(Date.parse(one.claimedAt) - Date.parse(one.dueAt));
        await deployment.complete(one);
      }
  };
  for (let index = 0; index < workers; index++) void work();
  const untilMs = fromMs + 2 * WAITING_FOR_MS;
  while (lateMs.length < jobs && clock.nowMs() < untilMs) await deployment.run(SECOND_MS);
  const p99Ms = percentile(lateMs, 0.99);
  const isReached = lateMs.length === jobs && p99Ms < MOST_LATE_MS;
  return { jobs: lateMs.length, p50Ms: percentile(lateMs, 0.5), p99Ms, isReached };
}

run('bench:claims', async () => {
  const { claims, workers, jobs } = numbersFrom({ claims: 2_000, workers: 24, jobs: 500 });
  const results = [await measure(1, claims, workers), await measure(4, claims, workers)];
  const late = await waiting(jobs, WAITING_WORKERS);
  if (wantsJson()) printJson({ machine: machine(), results, late });
  else {
    say(
      table(
        ['queues', 'workers', 'claims', 'a second', 'at least', 'a processor second'],
        results.map(({ queues, claimed, perSec, perCpuSec, ...one }) => [
          queues,
          one.workers,
          claimed,
          perSec,
          LEAST_PER_SEC[queues],
          perCpuSec,
        ]),
      ),
    );
    const { p50Ms, p99Ms } = late;
    say(
      `\nWaiting workers: ${late.jobs} jobs late by p50 ${p50Ms}, p99 ${p99Ms} ms; goal: under ${MOST_LATE_MS}.`,
    );
    say(machineLine(machine()));
  }
  if (![...results, late].every(({ isReached }) => isReached)) process.exitCode = 1;
});
