/**
 * Measures what one user's burst does to another user, against the process that `npm start` runs. A quiet
 * user's jobs are due at random instants of a period. The bench measures their lateness twice: alone, and
 * with a loud user whose many jobs are all due in the middle of the period.
 *
 * `npm run bench:fairness -- [--pairs 1] [--jobs 20000] [--quiet 300] [--seconds 60] [--ahead 330]
 * [--drain 600] [--answer 0] [--timeout 0] [--spread 0] [--executors 0] [--json]`
 *
 * `--pairs`: how often both periods follow one another. The p99 of 300 jobs is the third largest, so it
 * scatters. The ratio is of the p99 of all periods alone, and of all periods beside the burst.
 *
 * `--ahead`: seconds between the last registration and the due time of the burst. From about 320 on, the
 * scanner dispatches the burst, like any jobs that were created long before. Below that, the API dispatches
 * it. `--drain`: seconds to wait for the burst after the quiet user's last job. `--answer`: seconds after
 * which the loud user's target answers. `--timeout`: seconds that its calls may take, by default twice
 * `--answer`. `--spread`: seconds over which the loud user's jobs are due. `--executors`: the flag of
 * `npm start`.
 *
 * Slow calls: `--pairs 4 --jobs 286 --answer 70 --spread 22 --ahead 60 --drain 1`, and at the default timeout
 * `--timeout 30`. With `--executors 64` a lane has as much room as the burst needs until its calls are known
 * to be slow.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { chunksOf } from '../../lambdas/core/async/chunks';
import { inParallel } from '../../lambdas/core/async/in-parallel';
import { startSystem } from '../../test/support/local-run';
import { type Call, clientOf } from '../support/client';
import { machine } from '../support/machine';
import { numbersFrom } from '../support/options';
import { note, printJson, run, wantsJson } from '../support/output';
import { percentile } from '../support/percentiles';
import { type Arrival, type Receiver, startReceiver } from '../support/receiver';
import { crowdOf, type Pair, type Period, report, summaryOf } from './report';

/** Jobs in one request. */
const BATCH = 100;
/** Requests at a time. */
const AT_ONCE = 2;
/** Jobs that run before the measurement, so that it includes no cold start. */
const WARM_UP = 400;
const WARM_UP_MS = 20_000;
/**
 * Before the measurement, more calls are open than a lane and the overflow have executors. So all of these
 * have started. They are calls of several users, because those of one may hold a quarter of a lane. Calls
 * that are due at one instant would share an executor.
 */
const OPEN_OF_EACH = 10;
/** Open calls beside as many as a lane has executors. Without `--executors`, a lane has 16 of them. */
const OPEN_BESIDE = 34;
const USUAL_EXECUTORS = 16;
const OPEN_WITHIN_MS = 8_000;
/** Executors start one after another. */
const OPEN_MS = 15_000;
const TRIAL = 400;
/** Registration may be slower than in the trial. */
const SLACK = 1.3;
const REST_MS = 10_000;
const HOUR_MS = 3_600_000;
/** How long to wait for the quiet user's last jobs. */
const PATIENCE_MS = 60_000;

interface Bench {
  calm: Call;
  loud: Call;
  receiver: Receiver;
}

interface WarmUp {
  calm: Call;
  /** Make the executors start. */
  openers: readonly Call[];
  receiver: Receiver;
}

const openersFor = (executors: number): number =>
  Math.ceil(((executors || USUAL_EXECUTORS) + OPEN_BESIDE) / OPEN_OF_EACH);

run('bench:fairness', async () => {
  const wanted = numbersFrom({
    pairs: 1,
    jobs: 20_000,
    quiet: 300,
    seconds: 60,
    ahead: 330,
    drain: 600,
    answer: 0,
    timeout: 0,
    spread: 0,
    executors: 0,
  });
  const pairs: Pair[] = [];
  for (let index = 0; index < wanted.pairs; index++) pairs.push(await pairOf(wanted));
  const summary = summaryOf(pairs);
  if (wantsJson()) printJson({ jobs: wanted.jobs, ...summary, pairs });
  else report(wanted.jobs, pairs);
  if (!summary.isReached) process.exitCode = 1;
});

/** Each pair has a local run of its own, because the slow calls of a burst go on for long. */
async function pairOf(wanted: Wanted): Promise<Pair> {
  const receiver = await startReceiver();
  const flags = wanted.executors > 0 ? ['--executors', String(wanted.executors)] : [];
  const system = await startSystem('--port', '0', '--ephemeral', ...flags);
  try {
    const [calm, loud] = [await clientOf(system, 'calm'), await clientOf(system, 'loud')];
    const names = Array.from({ length: openersFor(wanted.executors) }, (_, index) => `opener-${index}`);
    const openers = await Promise.all(names.map((name) => clientOf(system, name)));
    await warmUp({ calm, openers, receiver });
    return await measure(wanted, { calm, loud, receiver });
  } finally {
    await system.end();
    receiver.close();
  }
}

type Wanted = Record<
  'jobs' | 'quiet' | 'seconds' | 'ahead' | 'drain' | 'answer' | 'timeout' | 'spread' | 'executors',
  number
>;

async function warmUp({ calm, openers, receiver }: WarmUp): Promise<void> {
  const fromMs = Date.now() + REST_MS;
  const openMs = fromMs + WARM_UP_MS;
  const target = { type: 'http', url: receiver.slowUrl(OPEN_MS), timeout: '30s' };
  await register('warm-up', WARM_UP, calm, receiver, within(fromMs, WARM_UP_MS));
  for (const opener of openers)
    await register('open', OPEN_OF_EACH, opener, receiver, within(openMs, OPEN_WITHIN_MS), target);
  await sleep(openMs + 2 * OPEN_MS - Date.now());
}

async function measure(
  { jobs, quiet, seconds, ahead, drain, answer, timeout, spread }: Wanted,
  bench: Bench,
): Promise<Pair> {
  const { calm, loud, receiver } = bench;
  const forMs = seconds * 1_000;
  const later = () => new Date(Date.now() + HOUR_MS).toISOString();
  const msAJob = (await register('trial', TRIAL, loud, receiver, later)) / TRIAL;

  const aloneFromMs = Date.now() + quiet * msAJob * SLACK + REST_MS;
  await register('alone', quiet, calm, receiver, within(aloneFromMs, forMs));
  const alone = await watch('alone', quiet, aloneFromMs, forMs, receiver);

  const dueMs = Math.ceil((Date.now() + jobs * msAJob * SLACK) / 1_000 + ahead) * 1_000;
  // The target has time for an answer that is late on a busy machine.
  const slow = { url: receiver.slowUrl(answer * 1_000), timeout: `${timeout || 2 * answer}s` };
  const target = { type: 'http', ...(answer > 0 ? slow : { url: receiver.url }) };
  const crowdDueAt = within(dueMs, spread * 1_000);
  const tookMs = await register('crowd', jobs, loud, receiver, crowdDueAt, target);
  await register('crowded', quiet, calm, receiver, within(dueMs - forMs / 2, forMs));
  const dueFrom = new Date(dueMs).toISOString();
  note(`${jobs} jobs registered in ${(tookMs / 1_000).toFixed(0)} s, due from ${dueFrom} on for ${spread} s`);

  const crowded = await watch('crowded', quiet, dueMs - forMs / 2, forMs, receiver);
  const crowd = await arrivalsOf('crowd', jobs, drain * 1_000, receiver);
  return { alone, crowded, crowd: crowdOf(crowd) };
}

const within = (fromMs: number, forMs: number) => () =>
  new Date(fromMs + Math.floor(Math.random() * forMs)).toISOString();

/** @returns the time that it took, in ms */
async function register(
  name: string,
  count: number,
  call: Call,
  receiver: Receiver,
  dueAt: () => string,
  target: object = { type: 'http', url: receiver.url },
): Promise<number> {
  const startMs = performance.now();
  const jobs = Array.from({ length: count }, (_, index) => ({
    jobId: `${name}-${index}`,
    schedule: { type: 'at', at: dueAt() },
    target,
    payload: { index },
  }));
  await inParallel(chunksOf(jobs, BATCH), AT_ONCE, async (batch) => {
    const answer = (await call('POST', '/v1/jobs/batch', { jobs: batch })) as {
      outcomes: { status: number; problem?: { detail?: string } }[];
    };
    const refused = answer.outcomes.find(({ status }) => status !== 201);
    if (refused) throw new Error(`a job was refused with ${refused.status}: ${refused.problem?.detail}`);
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
): Promise<Period> {
  if (Date.now() > fromMs) throw new Error('registration took too long: the first jobs are already due');
  await sleep(fromMs - Date.now());
  const before = machine();
  await sleep(forMs);
  const arrivals = await arrivalsOf(name, expected, PATIENCE_MS, receiver);
  if (arrivals.length === 0) throw new Error(`none of the ${expected} jobs "${name}" arrived in time`);
  const latenessMs = arrivals.map((one) => one.latenessMs);
  note(`${name}: ${latenessMs.length} of ${expected}, p99 ${percentile(latenessMs, 0.99)} ms`);
  return { expected, latenessMs, before, after: machine() };
}
