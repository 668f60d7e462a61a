// Each peer has the same five calls: register one, register many, work, stop, close. Settings are those that
// its own documentation recommends for throughput or for short delays. The rest is the default.
import { createRequire } from 'node:module';

const version = (name) => createRequire(import.meta.url)(`${name}/package.json`).version;
const QUEUE = 'bench';

/** @param connection of Redis */
export async function bullmq({ connection }) {
  const { Queue, Worker } = await import('bullmq');
  const queue = new Queue(QUEUE, { connection });
  const options = (dueMs) => ({ delay: Math.max(0, dueMs - Date.now()), removeOnComplete: true });
  return {
    name: `BullMQ ${version('bullmq')}`,
    keeps: 'the job until it is done (a snapshot to disk now and then); history only where asked for',
    add: (dueMs, data) => queue.add('job', { dueMs, ...data }, options(dueMs)),
    addMany: (jobs) =>
      queue.addBulk(
        jobs.map(({ dueMs, ...data }) => ({ name: 'job', data: { dueMs, ...data }, opts: options(dueMs) })),
      ),
    async work(onJob) {
      const worker = new Worker(QUEUE, async ({ data }) => onJob(data), { connection, concurrency: 50 });
      await worker.waitUntilReady();
      return () => worker.close();
    },
    close: () => queue.close(),
  };
}

/** @param connectionString of PostgreSQL */
export async function pgBoss({ connectionString }) {
  const { default: PgBoss } = await import('pg-boss');
  const boss = new PgBoss(connectionString);
  await boss.start();
  await boss.createQueue(QUEUE);
  return {
    name: `pg-boss ${version('pg-boss')}`,
    keeps: 'the job and its result, durably, in tables of its own',
    add: (dueMs, data) => boss.send(QUEUE, { dueMs, ...data }, { startAfter: new Date(dueMs) }),
    addMany: (jobs) =>
      boss.insert(
        jobs.map(({ dueMs, ...data }) => ({
          name: QUEUE,
          data: { dueMs, ...data },
          startAfter: new Date(dueMs),
        })),
      ),
    async work(onJob) {
      const polling = { batchSize: 1_000, pollingIntervalSeconds: 0.5 }; // its shortest
      await boss.work(QUEUE, polling, async (jobs) => {
        for (const { data } of jobs) onJob(data);
      });
      return () => boss.offWork(QUEUE);
    },
    close: () => boss.stop({ graceful: false, wait: true }),
  };
}

/** @param connectionString of PostgreSQL */
export async function graphileWorker({ connectionString }) {
  const { Logger, makeWorkerUtils, run } = await import('graphile-worker');
  const logger = new Logger(() => () => undefined);
  const utils = await makeWorkerUtils({ connectionString, logger });
  await utils.migrate();
  const taskOf = ({ dueMs, ...data }) => ({
    identifier: QUEUE,
    payload: { dueMs, ...data },
    runAt: new Date(dueMs),
  });
  return {
    name: `Graphile Worker ${version('graphile-worker')}`,
    keeps: 'the job durably until it is done; no history',
    add: (dueMs, data) => utils.addJob(QUEUE, { dueMs, ...data }, { runAt: new Date(dueMs) }),
    addMany: (jobs) => utils.addJobs(jobs.map(taskOf)),
    async work(onJob) {
      const runner = await run({
        connectionString,
        logger,
        concurrency: 10,
        pollInterval: 100,
        noHandleSignals: true,
        taskList: { [QUEUE]: async (payload) => onJob(payload) },
      });
      return () => runner.stop();
    },
    close: () => utils.release(),
  };
}
