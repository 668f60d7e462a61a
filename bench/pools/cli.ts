/**
 * Measures what a pool whose executors are all busy does to another pool, against the process that `npm
 * start` runs, with a second pool. A quiet user's jobs run in the pool `default`, at random instants of a
 * period. The bench measures their lateness in pairs of periods. In one, the pool `heavy` is idle. In the
 * other, calls that do not return occupy every executor of it, and others wait. Every second pair begins with
 * the busy period. So what else the machine does meets both alike, and the medians over the pairs count.
 *
 * `npm run bench:pools -- [--pairs 4] [--quiet 150] [--seconds 20] [--waiting 100] [--settle 45] [--json]`
 *
 * `--waiting`: jobs of the pool `heavy` beyond those that occupy its executors.
 * `--settle`: seconds before each period, in which the jobs of before have their rechecks. All functions of
 * the local run share the processors and the database of one machine, so other work would delay any pool.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import local from '../../config/local.json';
import { chunksOf } from '../../lambdas/core/async/chunks';
import { LANES, PRIORITIES } from '../../lambdas/core/contracts/pools';
import { synthesize } from '../../local/template/synthesize';
import { startSystem } from '../../test/support/local-run';
import { type Call, clientOf } from '../support/client';
import { type Machine, machine, machineLine } from '../support/machine';
import { numbersFrom } from '../support/options';
import { printJson, run, say, table, wantsJson } from '../support/output';
import { median, percentile } from '../support/percentiles';
import { type Receiver, startReceiver } from '../support/receiver';

/** Executors of each lane of the pool `heavy`, each of which takes one message. */
const EXECUTORS = 2;
/** Jobs of one request: few enough for a busy machine. */
const BATCH = 25;
const WARM_UP_SEC = 15;
const AHEAD_MS = 8_000;
const PATIENCE_MS = 240_000;
/** What the pool `default` may be later, p99. */
const MOST_MS = 10;

interface Lateness {
  arrived: number;
  p50Ms: number;
  p99Ms: number;
  /** Executors of the other pool that are occupied, at the end of the period. */
  occupied: number;
  load: number;
}

interface Pair {
  idle: Lateness;
  busy: Lateness;
}

run('bench:pools', async () => {
  const wanted = numbersFrom({ pairs: 4, quiet: 150, seconds: 20, waiting: 100, settle: 45 });
  const maxConcurrency = Object.fromEntries(LANES.map((lane) => [lane, EXECUTORS]));
  const assembly = await synthesize({
    settings: {
      pools: { ...local.pools, heavy: { batchSize: 1, timeoutSec: 600, maxConcurrency } },
    },
  });
  const [receiver, heavy] = [await startReceiver(), await startHeavyTarget()];
  const system = await startSystem('--port', '0', '--ephemeral', '--assembly', assembly);
  try {
    const call = await clientOf(system, 'calm');
    const periods = periodsOf(call, receiver, heavy, wanted);
    await periods.idle('warm-up', WARM_UP_SEC);
    const pairs: Pair[] = [];
    for (let round = 1; round <= wanted.pairs; round++) {
      const first = round % 2 === 1 ? ('idle' as const) : ('busy' as const);
      const one = await periods[first](`${first}-${round}`);
      const second = first === 'idle' ? ('busy' as const) : ('idle' as const);
      const other = await periods[second](`${second}-${round}`);
      pairs.push(first === 'idle' ? { idle: one, busy: other } : { idle: other, busy: one });
    }
    const laterMs = median(pairs.map(({ idle, busy }) => busy.p99Ms - idle.p99Ms));
    const result = { pairs, laterMs, isReached: laterMs < MOST_MS, machine: machine() };
    if (wantsJson()) printJson(result);
    else report(result);
    if (!result.isReached) process.exitCode = 1;
  } finally {
    await system.end();
    receiver.close();
    heavy.close();
  }
});

type Period = (name: string, seconds?: number) => Promise<Lateness>;

/** A period while the other pool is idle, and one while it is busy. */
function periodsOf(
  call: Call,
  receiver: Receiver,
  heavy: HeavyTarget,
  wanted: { quiet: number; seconds: number; waiting: number; settle: number },
): Record<'idle' | 'busy', Period> {
  const quiet = async (name: string, seconds = wanted.seconds): Promise<Lateness> => {
    await sleep(wanted.settle * 1_000);
    const measured = await measure(name, wanted.quiet, seconds, call, receiver);
    return { ...measured, occupied: heavy.open(), load: loadavg()[0]! };
  };
  return {
    idle: quiet,
    busy: async (name, seconds) => {
      heavy.isHolding = true;
      const jobs = await occupy(name, wanted.waiting, heavy, call);
      const measured = await quiet(name, seconds);
      heavy.release();
      await until(() => heavy.called >= jobs);
      heavy.called = 0;
      return measured;
    },
  };
}

interface HeavyTarget {
  url: string;
  /** Whether calls are left without an answer. */
  isHolding: boolean;
  called: number;
  /** Calls that have not been answered. */
  open(): number;
  /** Answers them, and all that come. */
  release(): void;
  close(): void;
}

async function startHeavyTarget(): Promise<HeavyTarget> {
  const held = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    heavy.called += 1;
    request.resume();
    if (!heavy.isHolding) return void response.end();
    held.add(response);
    response.once('close', () => held.delete(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const heavy: HeavyTarget = {
    url: `http://127.0.0.1:${port}/`,
    isHolding: false,
    called: 0,
    open: () => held.size,
    release: () => {
      heavy.isHolding = false;
      for (const response of held) response.end();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return heavy;
}

/**
 * Fills the executors of the pool `heavy` with calls that do not return, until they are all busy. Those of
 * the priorities take calls of at most 30 s: when one is aborted, the next one takes its place.
 *
 * @returns how many jobs it has made
 */
async function occupy(name: string, waiting: number, heavy: HeavyTarget, call: Call): Promise<number> {
  const all = EXECUTORS * (PRIORITIES.length + 1);
  const jobs = Array.from({ length: all + waiting }, (_, index) => ({
    jobId: `heavy-${name}-${index}`,
    schedule: { type: 'delay', delay: '1s' },
    pool: 'heavy',
    priority: PRIORITIES[index % PRIORITIES.length],
    timeout: '10m',
    retry: { maxAttempts: 1 },
    target: { type: 'http', url: heavy.url, timeout: index < EXECUTORS ? '10m' : '30s' },
  }));
  await create(jobs, call);
  await until(() => heavy.open() >= all);
  return jobs.length;
}

async function create(jobs: readonly object[], call: Call): Promise<void> {
  for (const some of chunksOf(jobs, BATCH)) await call('POST', '/v1/jobs/batch', { jobs: some });
}

async function until(isSo: () => boolean): Promise<void> {
  const untilMs = Date.now() + PATIENCE_MS;
  while (!isSo() && Date.now() < untilMs) await sleep(100);
  if (!isSo()) throw new Error(`the pool heavy was not as it has to be within ${PATIENCE_MS} ms`);
}

async function measure(
  name: string,
  count: number,
  seconds: number,
  call: Call,
  receiver: Receiver,
): Promise<Pick<Lateness, 'arrived' | 'p50Ms' | 'p99Ms'>> {
  const fromMs = Date.now() + AHEAD_MS;
  const jobs = Array.from({ length: count }, (_, index) => ({
    jobId: `${name}-${index}`,
    schedule: { type: 'at', at: new Date(fromMs + Math.random() * seconds * 1_000).toISOString() },
    target: { type: 'http', url: receiver.url },
  }));
  await create(jobs, call);
  const ofThis = () => receiver.arrivals.filter(({ jobId }) => jobId.startsWith(`${name}-`));
  const untilMs = fromMs + seconds * 1_000 + PATIENCE_MS;
  while (ofThis().length < count && Date.now() < untilMs) await sleep(200);
  const late = ofThis().map(({ latenessMs }) => latenessMs);
  return { arrived: late.length, p50Ms: percentile(late, 0.5), p99Ms: percentile(late, 0.99) };
}

function report({ pairs, laterMs, machine }: { pairs: Pair[]; laterMs: number; machine: Machine }): void {
  const rows = pairs.map(({ idle, busy }, index) => [
    index + 1,
    idle.arrived + busy.arrived,
    `${idle.p50Ms} / ${idle.p99Ms}`,
    `${busy.p50Ms} / ${busy.p99Ms}`,
    (busy.p99Ms - idle.p99Ms).toFixed(1),
    busy.occupied,
    `${idle.load.toFixed(1)} / ${busy.load.toFixed(1)}`,
  ]);
  const names = ['pair', 'arrived', 'idle: p50 / p99, ms', 'busy: p50 / p99, ms'];
  say(table([...names, 'p99 later by', 'occupied', 'load'], rows));
  const p50Later = median(pairs.map(({ idle, busy }) => busy.p50Ms - idle.p50Ms));
  say(
    `\nMedian over the pairs: p50 later by ${p50Later.toFixed(1)} ms, p99 by ${laterMs.toFixed(1)} ms; goal: p99 under ${MOST_MS}.`,
  );
  say(machineLine(machine));
}
