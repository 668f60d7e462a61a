/**
 * Measures what a pool whose executors are all busy does to another pool, against the process that `npm
 * start` runs, with a second pool. A quiet user's jobs run in the pool `default`, at random instants of a
 * period. The bench measures their lateness twice: alone, and while calls that do not return occupy every
 * executor of the pool `heavy`, where others wait.
 *
 * `npm run bench:pools -- [--quiet 300] [--seconds 60] [--waiting 200] [--json]`
 *
 * `--waiting`: jobs of the pool `heavy` beyond those that occupy its executors.
 */
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import local from '../../config/local.json';
import { LANES, PRIORITIES } from '../../lambdas/core/contracts/pools';
import { synthesizeWith } from '../../test/support/local/synthesize-with';
import { startSystem } from '../../test/support/local-run';
import { type Call, clientOf } from '../support/client';
import { type Machine, machine, machineLine } from '../support/machine';
import { numbersFrom } from '../support/options';
import { printJson, run, say, table, wantsJson } from '../support/output';
import { percentile } from '../support/percentiles';
import { type Receiver, startReceiver } from '../support/receiver';

/** Executors of each lane of the pool `heavy`, each of which takes one message. */
const EXECUTORS = 2;
const WARM_UP_MS = 20_000;
const AHEAD_MS = 15_000;
const PATIENCE_MS = 30_000;
/** What the pool `default` may be later, p99. */
const MOST_MS = 10;

interface Lateness {
  arrived: number;
  p50Ms: number;
  p99Ms: number;
  machine: Machine;
}

run('bench:pools', async () => {
  const wanted = numbersFrom({ quiet: 300, seconds: 60, waiting: 200 });
  const maxConcurrency = Object.fromEntries(LANES.map((lane) => [lane, EXECUTORS]));
  const assembly = synthesizeWith({
    pools: { ...local.pools, heavy: { batchSize: 1, timeoutSec: 120, maxConcurrency } },
  });
  const [receiver, hanging] = [await startReceiver(), await startHanging()];
  const system = await startSystem('--port', '0', '--ephemeral', '--assembly', assembly);
  try {
    const call = await clientOf(system, 'calm');
    const quiet = (name: string) => measure(name, wanted.quiet, wanted.seconds, call, receiver);
    await measure('warm-up', wanted.quiet, WARM_UP_MS / 1_000, call, receiver);
    const alone = await quiet('alone');
    await occupy(wanted.waiting, hanging, call);
    const beside = await quiet('beside');
    const laterMs = beside.p99Ms - alone.p99Ms;
    const result = { alone, beside, occupied: hanging.open(), laterMs, isReached: laterMs < MOST_MS };
    if (wantsJson()) printJson(result);
    else report(result);
    if (!result.isReached) process.exitCode = 1;
  } finally {
    await system.end();
    receiver.close();
    hanging.close();
    rmSync(assembly, { recursive: true });
  }
});

interface Hanging {
  url: string;
  /** Calls that have not been answered. */
  open(): number;
  close(): void;
}

/** A target that never answers. */
async function startHanging(): Promise<Hanging> {
  let open = 0;
  const server = createServer((request) => {
    open += 1;
    request.once('close', () => {
      open -= 1;
    });
    request.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    open: () => open,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Fills the executors of the pool `heavy` with calls that do not return, until they are all busy. */
async function occupy(waiting: number, { url, open }: Hanging, call: Call): Promise<void> {
  const all = EXECUTORS * PRIORITIES.length;
  const jobs = Array.from({ length: all + waiting }, (_, index) => ({
    jobId: `heavy-${index}`,
    schedule: { type: 'delay', delay: '1s' },
    pool: 'heavy',
    priority: PRIORITIES[index % PRIORITIES.length],
    timeout: '10m',
    target: { type: 'http', url, timeout: '10m' },
  }));
  for (let from = 0; from < jobs.length; from += 100)
    await call('POST', '/v1/jobs/batch', { jobs: jobs.slice(from, from + 100) });
  const untilMs = Date.now() + PATIENCE_MS;
  while (open() < all && Date.now() < untilMs) await sleep(100);
}

async function measure(
  name: string,
  count: number,
  seconds: number,
  call: Call,
  receiver: Receiver,
): Promise<Lateness> {
  const fromMs = Date.now() + AHEAD_MS;
  const jobs = Array.from({ length: count }, (_, index) => ({
    jobId: `${name}-${index}`,
    schedule: { type: 'at', at: new Date(fromMs + Math.random() * seconds * 1_000).toISOString() },
    target: { type: 'http', url: receiver.url },
  }));
  for (let from = 0; from < jobs.length; from += 100)
    await call('POST', '/v1/jobs/batch', { jobs: jobs.slice(from, from + 100) });
  const ofThis = () => receiver.arrivals.filter(({ jobId }) => jobId.startsWith(`${name}-`));
  const untilMs = fromMs + seconds * 1_000 + PATIENCE_MS;
  while (ofThis().length < count && Date.now() < untilMs) await sleep(200);
  const late = ofThis().map(({ latenessMs }) => latenessMs);
  const [p50Ms, p99Ms] = [percentile(late, 0.5), percentile(late, 0.99)];
  return { arrived: late.length, p50Ms, p99Ms, machine: machine() };
}

function report({
  alone,
  beside,
  occupied,
  laterMs,
}: {
  alone: Lateness;
  beside: Lateness;
  occupied: number;
  laterMs: number;
}): void {
  say(
    table(
      ['pool default', 'arrived', 'p50, ms', 'p99, ms'],
      Object.entries({ alone, 'beside a busy pool': beside }).map(([name, one]) => [
        name,
        one.arrived,
        one.p50Ms,
        one.p99Ms,
      ]),
    ),
  );
  say(`\n${occupied} executors of the other pool were busy. p99 rose by ${laterMs} ms, at most ${MOST_MS}.`);
  say(machineLine(beside.machine));
}
