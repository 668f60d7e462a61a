/**
 * Measures how late targets are called, against the process that `npm start` runs. One-time jobs are due at
 * random instants of a period. Recurring jobs then run every five seconds for as long. Each part starts with
 * a warm-up that is not counted, so the figures are those of a system at work, not of its first calls.
 *
 * `npm run bench:lateness -- [--jobs 2000] [--recurring 500] [--seconds 60] [--json]`
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { inParallel } from '../../lambdas/core/async/in-parallel';
import { MINUTE_MS } from '../../lambdas/core/clock/clock';
import { startSystem } from '../../test/support/local-run';
import { type Call, clientsOf } from '../support/client';
import { type Machine, machine, machineLine } from '../support/machine';
import { numbersFrom } from '../support/options';
import { note, printJson, run, say, table, wantsJson } from '../support/output';
import { percentile } from '../support/percentiles';
import { type Arrival, type Receiver, startReceiver } from '../support/receiver';

const EVERY_SEC = 5;
const AT_ONCE = 4;
const USERS = 50;
/** Jobs registered first, to measure how long registration takes. They are due long after the end. */
const TRIAL = 60;
const TRIAL_DUE_MS = 3_600_000;
const WARM_UP = { jobs: 600, seconds: 15 };
/**
 * The API dispatches what is due sooner, and the first minutes of recurring jobs. The scanner dispatches what
 * is due later. The one-time jobs have ended by then.
 */
const SCANNED_AFTER_MS = 6 * MINUTE_MS;
/** Registration may be slower than in the trial. */
const SLACK = 1.6;
/** After the registration the machine needs time to become idle. */
const REST_MS = 10_000;
const PATIENCE_MS = 60_000;
/** Deliveries that were due before the watched period may have been counted as arrived. */
const LAST_ONES_MS = 3_000;

interface Lateness {
  expected: number;
  arrived: number;
  /** Deliveries of one execution beyond its first. */
  repeated: number;
  early: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  before: Machine;
  after: Machine;
}

run('bench:lateness', async () => {
  const { jobs, recurring, seconds } = numbersFrom({ jobs: 2_000, recurring: 500, seconds: 60 });
  const receiver = await startReceiver();
  const system = await startSystem('--port', '0', '--ephemeral');
  try {
    const calls = await clientsOf(system, USERS);
    const bench = { calls, receiver, seconds, msAJob: 0 };
    const later = new Date(Date.now() + TRIAL_DUE_MS).toISOString();
    bench.msAJob = (await register(TRIAL, 'trial', bench, () => ({ type: 'at', at: later }))) / TRIAL;
    const watchedFromMs = recurring > 0 ? await startEveryFiveSeconds(recurring, bench) : 0;
    const result: Record<string, Lateness> = {};
    if (jobs > 0) {
      await oneTime(WARM_UP.jobs, 'warm-up', { ...bench, seconds: WARM_UP.seconds });
      result.oneTime = await oneTime(jobs, 'once', bench);
    }
    if (recurring > 0)
      result.recurring = await watch(recurring * (seconds / EVERY_SEC), watchedFromMs, bench);
    if (wantsJson()) printJson(result);
    else report(result);
  } finally {
    await system.end();
    receiver.close();
  }
});

interface Bench {
  calls: readonly Call[];
  receiver: Receiver;
  seconds: number;
  /** What registering takes. */
  msAJob: number;
}

const startAfter = (count: number, { msAJob }: Bench): number =>
  Math.ceil(Date.now() + count * msAJob * SLACK + REST_MS);

const targetOf = ({ receiver }: Bench) => ({ type: 'http', url: receiver.url });

async function oneTime(count: number, name: string, bench: Bench): Promise<Lateness> {
  const startMs = startAfter(count, bench);
  const dueAt = () => new Date(startMs + Math.floor(Math.random() * bench.seconds * 1_000)).toISOString();
  await register(count, name, bench, () => ({ type: 'at', at: dueAt() }));
  return watch(count, startMs, bench);
}

/** @returns when the time begins that is watched: by then they have run for as long already */
async function startEveryFiveSeconds(count: number, bench: Bench): Promise<number> {
  const startMs = Date.now() + SCANNED_AFTER_MS;
  const at = (ms: number) => new Date(ms).toISOString();
  await register(count, 'every', bench, () => ({
    type: 'interval',
    every: `${EVERY_SEC}s`,
    anchor: at(startMs + Math.floor(Math.random() * EVERY_SEC * 1_000)),
    startAt: at(startMs),
    endAt: at(startMs + 2 * bench.seconds * 1_000),
  }));
  return startMs + bench.seconds * 1_000;
}

/** @returns how long it took, in ms */
async function register(
  count: number,
  name: string,
  bench: Bench,
  scheduleOf: () => object,
): Promise<number> {
  const indices = Array.from({ length: count }, (_, index) => index);
  const startMs = performance.now();
  await inParallel(indices, AT_ONCE, (index) =>
    bench.calls[index % USERS]!('POST', '/v1/jobs', {
      jobId: `${name}-${index}`,
      schedule: scheduleOf(),
      target: targetOf(bench),
      payload: { index },
    }),
  );
  const tookMs = performance.now() - startMs;
  note(`${count} jobs registered in ${(tookMs / 1_000).toFixed(1)} s`);
  return tookMs;
}

async function watch(expected: number, startMs: number, { receiver, seconds }: Bench): Promise<Lateness> {
  if (Date.now() > startMs) throw new Error('registering took too long: the first jobs are due already');
  await sleep(startMs - Date.now() - 1_000);
  receiver.arrivals.length = 0;
  const before = machine();
  await receiver.waitFor(expected, seconds * 1_000 + PATIENCE_MS);
  const after = machine();
  await sleep(LAST_ONES_MS);
  const isWatched = ({ dueAtMs }: Arrival) => dueAtMs >= startMs && dueAtMs < startMs + seconds * 1_000;
  const arrivals = receiver.arrivals.splice(0).filter(isWatched);
  const lateness = arrivals.map(({ latenessMs }) => latenessMs);
  return {
    expected,
    arrived: arrivals.length,
    repeated: arrivals.length - new Set(arrivals.map(({ jobId, execId }) => `${jobId} ${execId}`)).size,
    early: lateness.filter((ms) => ms < 0).length,
    p50Ms: percentile(lateness, 0.5),
    p99Ms: percentile(lateness, 0.99),
    maxMs: Math.max(...lateness),
    before,
    after,
  };
}

function report(result: Record<string, Lateness>): void {
  for (const [name, { before, after }] of Object.entries(result))
    say(`${name}: ${machineLine(before)}; load ${after.load} at the end`);
  say();
  say(
    table(
      ['jobs', 'expected', 'arrived', 'repeated', 'early', 'p50 ms', 'p99 ms', 'max ms'],
      Object.entries(result).map(([name, { expected, arrived, repeated, early, p50Ms, p99Ms, maxMs }]) => [
        name,
        expected,
        arrived,
        repeated,
        early,
        p50Ms,
        p99Ms,
        maxMs,
      ]),
    ),
  );
}
