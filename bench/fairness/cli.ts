/**
 * What one user's crowd does to another: how late a quiet user's jobs are, at random instants over a while, first with
 * nobody else's due, then while a loud user has many jobs due at one instant in the middle of it; against the process that
 * `npm start` runs. `npm run bench:fairness -- [--jobs 20000] [--quiet 300] [--seconds 60] [--ahead 330] [--drain 600]
 * [--json]`
 *
 * `--ahead`: seconds between the last registration and the crowd's instant. From about 320 on, the crowd is the scanners'
 * work, as jobs are that were made long before; below it, the API sends it. `--drain`: seconds
 * that the crowd is waited for after the quiet user's last.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { chunksOf } from '../../lambdas/core/async/chunks';
import { inParallel } from '../../lambdas/core/async/in-parallel';
import { startSystem } from '../../test/support/local-run';
import { type Call, clientOf } from '../support/client';
import { type Machine, machine, machineLine } from '../support/machine';
import { numbersFrom } from '../support/options';
import { note, printJson, run, say, table, wantsJson } from '../support/output';
import { percentile } from '../support/percentiles';
import { type Arrival, type Receiver, startReceiver } from '../support/receiver';

/** Of one request, and how many requests at once. */
const BATCH = 100;
const AT_ONCE = 2;
/** What runs before anything is measured, so that no cold start is. */
const WARM_UP = 400;
const WARM_UP_MS = 20_000;
const TRIAL = 400;
/** Registering may turn out slower than the trial. */
const SLACK = 1.3;
const REST_MS = 10_000;
const HOUR_MS = 3_600_000;
/** What the quiet user misses by then is given up. */
const PATIENCE_MS = 60_000;
const MOST = 1.2;

interface Quiet {
  expected: number;
  arrived: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  before: Machine;
  after: Machine;
}

interface Fairness {
  jobs: number;
  alone: Quiet;
  crowded: Quiet;
  /** p99 in the crowd by p99 alone. */
  ratio: number;
  /** Of what arrived: seconds after which half and all of it had. */
  crowd: { arrived: number; halfSec: number; lastSec: number };
}

interface Bench {
  calm: Call;
  loud: Call;
  receiver: Receiver;
}

run('bench:fairness', async () => {
  const wanted = numbersFrom({ jobs: 20_000, quiet: 300, seconds: 60, ahead: 330, drain: 600 });
  const receiver = await startReceiver();
  const system = await startSystem('--port', '0', '--ephemeral');
  try {
    const [calm, loud] = [await clientOf(system, 'calm'), await clientOf(system, 'loud')];
    const result = await measure(wanted, { calm, loud, receiver });
    if (wantsJson()) printJson(result);
    else report(result);
  } finally {
    await system.end();
    receiver.close();
  }
});

async function measure(
  { jobs, quiet, seconds, ahead, drain }: Record<'jobs' | 'quiet' | 'seconds' | 'ahead' | 'drain', number>,
  bench: Bench,
): Promise<Fairness> {
  const { calm, loud, receiver } = bench;
  const forMs = seconds * 1_000;
  const later = () => new Date(Date.now() + HOUR_MS).toISOString();
  const warmFromMs = Date.now() + REST_MS;
  await register('warm-up', WARM_UP, calm, bench, within(warmFromMs, WARM_UP_MS));
  await sleep(warmFromMs + WARM_UP_MS - Date.now());
  const msAJob = (await register('trial', TRIAL, loud, bench, later)) / TRIAL;

  const aloneFromMs = Date.now() + quiet * msAJob * SLACK + REST_MS;
  await register('alone', quiet, calm, bench, within(aloneFromMs, forMs));
  const alone = await watch('alone', quiet, aloneFromMs, forMs, receiver);

  const dueMs = Math.ceil((Date.now() + jobs * msAJob * SLACK) / 1_000 + ahead) * 1_000;
  const dueAt = new Date(dueMs).toISOString();
  const tookMs = await register('crowd', jobs, loud, bench, () => dueAt);
  await register('crowded', quiet, calm, bench, within(dueMs - forMs / 2, forMs));
  note(`${jobs} jobs registered in ${(tookMs / 1_000).toFixed(0)} s, all due at ${dueAt}`);

  const crowded = await watch('crowded', quiet, dueMs - forMs / 2, forMs, receiver);
  await arrivalsOf('crowd', jobs, drain * 1_000, receiver);
  const late = receiver.arrivals.filter(isOf('crowd')).map(({ latenessMs }) => latenessMs);
  return {
    jobs,
    alone,
    crowded,
    ratio: Math.round((100 * crowded.p99Ms) / alone.p99Ms) / 100,
    crowd: {
      arrived: firsts('crowd', receiver).length,
      halfSec: percentile(late, 0.5) / 1_000,
      lastSec: Math.max(...late) / 1_000,
    },
  };
}

const within = (fromMs: number, forMs: number) => () =>
  new Date(fromMs + Math.floor(Math.random() * forMs)).toISOString();

/** @returns how long it took, in ms */
async function register(
  name: string,
  count: number,
  call: Call,
  { receiver }: Bench,
  dueAt: () => string,
): Promise<number> {
  const startMs = performance.now();
  const jobs = Array.from({ length: count }, (_, index) => ({
    jobId: `${name}-${index}`,
    schedule: { type: 'at', at: dueAt() },
    target: { type: 'http', url: receiver.url },
    payload: { index },
  }));
  await inParallel(chunksOf(jobs, BATCH), AT_ONCE, async (batch) => {
    const answer = (await call('POST', '/v1/jobs/batch', { jobs: batch })) as {
      outcomes: { status: number; problem?: { detail?: string } }[];
    };
    const refused = answer.outcomes.find(({ status }) => status !== 201);
    if (refused) throw new Error(`a job was answered with ${refused.status}: ${refused.problem?.detail}`);
  });
  return performance.now() - startMs;
}

const isOf =
  (name: string) =>
  ({ jobId }: Arrival): boolean =>
    jobId.startsWith(`${name}-`);

/** The first arrival of each job. */
function firsts(name: string, { arrivals }: Receiver): Arrival[] {
  return [
    ...new Map(
      arrivals
        .filter(isOf(name))
        .reverse()
        .map((one) => [one.jobId, one]),
    ).values(),
  ];
}

/** Resolves when all have arrived, or after `withinMs`. */
async function arrivalsOf(
  name: string,
  expected: number,
  withinMs: number,
  receiver: Receiver,
): Promise<Arrival[]> {
  const untilMs = Date.now() + withinMs;
  while (firsts(name, receiver).length < expected && Date.now() < untilMs) await sleep(500);
  return firsts(name, receiver);
}

async function watch(
  name: string,
  expected: number,
  fromMs: number,
  forMs: number,
  receiver: Receiver,
): Promise<Quiet> {
  if (Date.now() > fromMs) throw new Error('registering took too long: the first jobs are due already');
  await sleep(fromMs - Date.now());
  const before = machine();
  await sleep(forMs);
  const lateness = (await arrivalsOf(name, expected, PATIENCE_MS, receiver)).map(
    ({ latenessMs }) => latenessMs,
  );
  if (lateness.length === 0) throw new Error(`of ${expected} jobs "${name}" none arrived in time`);
  const result = {
    expected,
    arrived: lateness.length,
    p50Ms: percentile(lateness, 0.5),
    p99Ms: percentile(lateness, 0.99),
    maxMs: Math.max(...lateness),
    before,
    after: machine(),
  };
  note(`${name}: ${result.arrived} of ${expected}, p50 ${result.p50Ms} ms, p99 ${result.p99Ms} ms`);
  return result;
}

function report({ jobs, alone, crowded, ratio, crowd }: Fairness): void {
  for (const [name, { before, after }] of Object.entries({ alone, crowded }))
    say(`${name}: ${machineLine(before)}; load ${after.load} at the end`);
  say();
  say(
    table(
      ['quiet user', 'expected', 'arrived', 'p50 ms', 'p99 ms', 'max ms'],
      Object.entries({ alone, [`beside ${jobs}`]: crowded }).map(([name, one]) => [
        name,
        one.expected,
        one.arrived,
        one.p50Ms,
        one.p99Ms,
        one.maxMs,
      ]),
    ),
  );
  say();
  say(
    `The crowd: ${crowd.arrived} of ${jobs} arrived, half of these after ${crowd.halfSec.toFixed(1)} s, the last after ${crowd.lastSec.toFixed(1)} s.`,
  );
  say(
    `p99 of the quiet user: ${ratio} times what it is alone (${ratio <= MOST ? 'within' : 'above'} ${MOST}).`,
  );
}
