// Each peer has the same six calls: register one, register many, work, record an attempt, stop, close.
// Settings are those that its own documentation recommends for throughput or for short delays. The rest is
// the default. A job is tried three times, with growing pauses.
import { createRequire } from 'node:module';

const version = (name) => createRequire(import.meta.url)(`${name}/package.json`).version;
const QUEUE = 'bench';
const TRIES = 3;
/** Jobs that a worker does at once, if each of them waits for a target. */
const AT_ONCE = 50;

/** Attempts as rows of a table. */
async function attemptsIn(connectionString) {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({ connectionString, max: 10 });
  await pool.query(
    'create table if not exists attempts (id uuid primary key, job int, started_at bigint, finished_at bigint, status int)',
  );
  return {
    record: ({ id, job, startedAtMs, finishedAtMs, status }) =>
      pool.query('insert into attempts values ($1, $2, $3, $4, $5)', [
        id,
        job,
        startedAtMs,
        finishedAtMs,
        status,
      ]),
    close: () => pool.end(),
  };
}

/** @param connection of Redis */
export async function bullmq({ connection }) {
  const { Queue, Worker } = await import('bullmq');
  const { Redis } = await import('ioredis');
  const queue = new Queue(QUEUE, { connection });
  const attempts = new Redis(connection);
  const retry = { attempts: TRIES, backoff: { type: 'exponential', delay: 1_000 } };
  const options = (dueMs) => ({ ...retry, delay: Math.max(0, dueMs - Date.now()), removeOnComplete: true });
  return {
    name: `BullMQ ${version('bullmq')}`,
    keeps: 'the job until it is done (a snapshot to disk now and then); history only where asked for',
    add: (dueMs, data) => queue.add('job', { dueMs, ...data }, options(dueMs)),
    addMany: (jobs) =>
      queue.addBulk(
        jobs.map(({ dueMs, ...data }) => ({ name: 'job', data: { dueMs, ...data }, opts: options(dueMs) })),
      ),
    async work(onJob) {
      const settings = { connection, concurrency: AT_ONCE };
      const worker = new Worker(QUEUE, async ({ data }) => onJob(data), settings);
      await worker.waitUntilReady();
      return () => worker.close();
    },
    record: ({ id, ...attempt }) => attempts.hset(`attempt:${id}`, attempt),
    async close() {
      await queue.close();
      await attempts.quit();
    },
  };
}

/** @param connectionString of PostgreSQL */
export async function pgBoss({ connectionString }) {
  const { default: PgBoss } = await import('pg-boss');
  const boss = new PgBoss(connectionString);
  await boss.start();
  await boss.createQueue(QUEUE);
  const attempts = await attemptsIn(connectionString);
  const retry = { retryLimit: TRIES - 1, retryDelay: 1, retryBackoff: true };
  return {
    name: `pg-boss ${version('pg-boss')}`,
    keeps: 'the job and its result, durably, in tables of its own',
    add: (dueMs, data) => boss.send(QUEUE, { dueMs, ...data }, { ...retry, startAfter: new Date(dueMs) }),
    addMany: (jobs) =>
      boss.insert(
        jobs.map(({ dueMs, ...data }) => ({
          name: QUEUE,
          data: { dueMs, ...data },
          ...retry,
          startAfter: new Date(dueMs),
        })),
      ),
    async work(onJob) {
      const polling = { batchSize: 1_000, pollingIntervalSeconds: 0.5 }; // its shortest
      await boss.work(QUEUE, polling, async (jobs) => {
        const left = jobs.values();
        const lane = async () => {
          for (const { data } of left) await onJob(data);
        };
        await Promise.all(Array.from({ length: AT_ONCE }, lane));
      });
      return () => boss.offWork(QUEUE);
    },
    record: attempts.record,
    async close() {
      await boss.stop({ graceful: false, wait: true });
      await attempts.close();
    },
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
    maxAttempts: TRIES,
  });
  const attempts = await attemptsIn(connectionString);
  return {
    name: `Graphile Worker ${version('graphile-worker')}`,
    keeps: 'the job durably until it is done; no history',
    add: (dueMs, data) =>
      utils.addJob(QUEUE, { dueMs, ...data }, { runAt: new Date(dueMs), maxAttempts: TRIES }),
    addMany: (jobs) => utils.addJobs(jobs.map(taskOf)),
    async work(onJob, { waits }) {
      const runner = await run({
        connectionString,
        logger,
        concurrency: waits ? AT_ONCE : 10,
        pollInterval: 100,
        noHandleSignals: true,
        taskList: { [QUEUE]: async (payload) => onJob(payload) },
      });
      return () => runner.stop();
    },
    record: attempts.record,
    async close() {
      await utils.release();
      await attempts.close();
    },
  };
}
