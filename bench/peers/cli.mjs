// Gives the same work to BullMQ, pg-boss and Graphile Worker, each if its server is installed. Their first
// worker does nothing. Their second one does what an executor does. Then it measures Quarterjack's local
// run by `bench:lateness` and `bench:spike`.
// node bench/peers/cli.mjs [--jobs 20000] [--late 2000] [--seconds 60] [--peers-only] [--json]
import { execFile } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

import { bullmq, graphileWorker, pgBoss } from './peers.mjs';
import { startPostgres, startRedis } from './servers.mjs';
import { aFunction, aSignedCall } from './work.mjs';

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '20000' },
    late: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '60' },
    'peers-only': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const [jobs, late, seconds] = [values.jobs, values.late, values.seconds].map(Number);
const SINGLE = Math.min(2_000, jobs);
const IN_FLIGHT = 16;
const BULK = 1_000;
const HOUR_MS = 3_600_000;
/** A drain has failed if it takes longer. */
const DRAIN_MS = 600_000;
const checkout = join(dirname(fileURLToPath(import.meta.url)), '../..');
const load = () => Math.round(loadavg()[0] * 100) / 100;
const note = (line) => process.stderr.write(`${line}\n`);
const perSec = (count, sinceMs) => Math.round(count / ((performance.now() - sinceMs) / 1_000));
const percentile = (sorted, share) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];

async function inParallel(count, atOnce, work) {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function inBulk(peer, count, dueMs) {
  for (let from = 0; from < count; from += BULK) {
    const some = Math.min(BULK, count - from);
    await peer.addMany(Array.from({ length: some }, (_, index) => ({ dueMs, index: from + index })));
  }
}

/** Everything that is due now, by one worker. */
async function drain(peer, work, count) {
  await inBulk(peer, count, Date.now() - 1_000);
  const startMs = performance.now();
  const stop = await startWorker(peer, work);
  await work.waitFor(count, DRAIN_MS);
  const rate = perSec(count, startMs);
  await stop();
  const { length } = await work.take();
  if (length !== count) throw new Error(`${peer.name}: ${length} arrivals of ${count} jobs`);
  return rate;
}

/**
 * Starts the peer's worker.
 * @returns a function that stops it, and throws if a job has failed: its retry would make the figures false
 */
async function startWorker(peer, work) {
  const failures = [];
  const onJob = async (data) => {
    try {
      await work.onJob(data, peer);
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  const stop = await peer.work(onJob, { waits: work.waits === true });
  return async () => {
    await stop();
    if (failures.length > 0)
      throw new Error(`${peer.name}: ${failures.length} jobs failed`, { cause: failures[0] });
  };
}

async function latenessOf(peer, work, count) {
  const startMs = Date.now() + 15_000;
  await inParallel(count, IN_FLIGHT, (index) =>
    peer.add(startMs + Math.floor(Math.random() * seconds * 1_000), { index }),
  );
  const stop = await startWorker(peer, work);
  await work.waitFor(count, startMs - Date.now() + (seconds + 30) * 1_000);
  await stop();
  const late = (await work.take()).sort((a, b) => a - b);
  return {
    arrived: late.length,
    p50Ms: percentile(late, 0.5),
    p99Ms: percentile(late, 0.99),
    maxMs: late.at(-1),
  };
}

async function measure(open, server) {
  return [await measureWith(aFunction, open, server), await measureWith(aSignedCall, open, server)];
}

async function measureWith(openWork, open, server) {
  const work = await openWork();
  const peer = await open(server);
  note(`${peer.name}: ${work.name} …`);
  try {
    const before = load();
    const lateness = await latenessOf(peer, work, late);
    const singleMs = performance.now();
    await inParallel(SINGLE, IN_FLIGHT, (index) => peer.add(Date.now() + HOUR_MS, { index }));
    const single = perSec(SINGLE, singleMs);
    const bulkMs = performance.now();
    await inBulk(peer, jobs, Date.now() + HOUR_MS);
    const bulk = perSec(jobs, bulkMs);
    const drained = await drain(peer, work, jobs);
    return {
      name: peer.name,
      work: work.name,
      server: server.version,
      keeps: peer.keeps,
      registeredPerSec: single,
      registeredInBulkPerSec: bulk,
      drainedPerSec: drained,
      lateness,
      loadBefore: before,
      loadAfter: load(),
    };
  } finally {
    await peer.close();
    work.stop();
  }
}

/** The printed JSON of another benchmark of this project. */
async function benchmark(name, flags) {
  const args = ['--import', 'tsx', join(checkout, 'bench', name, 'cli.ts'), '--json', ...flags];
  return JSON.parse((await promisify(execFile)(process.execPath, args, { cwd: checkout })).stdout);
}

async function quarterjack() {
  note('Quarterjack, local run …');
  const times = ['--jobs', String(late), '--seconds', String(seconds), '--recurring', '0'];
  const { oneTime } = await benchmark('lateness', times);
  const spike = await benchmark('spike', ['--jobs', String(jobs)]);
  const inBatches = ['--jobs', String(jobs), '--batch', '10', '--ahead', '25'];
  const { registeredPerSec: inBatchesPerSec } = await benchmark('spike', inBatches);
  return {
    name: 'Quarterjack, local run',
    work: 'a signed call, recorded',
    server: 'embedded DynamoDB and SQS',
    keeps: 'the job, its history and every attempt',
    registeredPerSec: Math.round(spike.registeredPerSec),
    registeredInBulkPerSec: Math.round(inBatchesPerSec),
    drainedPerSec: Math.round(spike.drainedPerSec),
    lateness: oneTime,
    loadBefore: oneTime.before.load,
    loadAfter: load(),
  };
}

const servers = { redis: await startRedis(), postgres: await startPostgres() };
const results = [];
try {
  if (servers.redis) results.push(...(await measure(bullmq, servers.redis)));
  else note('redis-server is not installed: BullMQ is left out');
  if (servers.postgres) {
    results.push(...(await measure(pgBoss, servers.postgres)));
    results.push(...(await measure(graphileWorker, servers.postgres)));
  } else note('PostgreSQL is not installed: pg-boss and Graphile Worker are left out');
} finally {
  for (const server of Object.values(servers)) await server?.stop();
}
if (!values['peers-only']) results.push(await quarterjack());

if (values.json) {
  const machine = {
    at: new Date().toISOString(),
    cpus: cpus().length,
    cpu: cpus()[0].model,
    node: process.version,
  };
  process.stdout.write(`${JSON.stringify({ machine, results }, null, 2)}\n`);
} else {
  const cell = (value) => (value === undefined ? '–' : value);
  console.table(
    Object.fromEntries(
      results.map((one) => [
        `${one.name}: ${one.work}`,
        {
          server: one.server,
          'registered/s': cell(one.registeredPerSec),
          'in bulk/s': cell(one.registeredInBulkPerSec),
          'drained/s': cell(one.drainedPerSec),
          'late p50 ms': one.lateness.p50Ms,
          'p99 ms': one.lateness.p99Ms,
          'max ms': one.lateness.maxMs,
          load: `${one.loadBefore}–${one.loadAfter}`,
        },
      ]),
    ),
  );
}
