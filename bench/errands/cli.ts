/**
 * Measures work that is waited for, in a local run: state machines whose stand-ins wait, then end.
 *
 * - From the end of the work, which its event tells, to the row that says so. Jobs are due at random instants
 *   of a period, so ends come at that rate too.
 * - From the claim of an execution to the delegation of its lease: the executor is free from then on.
 * - Writes of rows for one execution, and how often the watcher probes for work by its length.
 *
 * `npm run bench:errands -- [--perSec 50] [--seconds 30] [--lasts 10] [--json]`
 *
 * `--perSec`: ends in a second. `--seconds`: for so long. `--lasts`: how long each takes, in seconds.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { inParallel } from '../../lambdas/core/async/in-parallel';
import { parseScript } from '../../local/services/step-functions/scripts';
import { synthesize } from '../../local/template/synthesize';
import { Host } from '../../test/support/local/host';
import type { TimedRowWrite } from '../../test/support/local/host-protocol';
import { type Machine, machine, machineLine } from '../support/machine';
import { numbersFrom } from '../support/options';
import { note, printJson, run, say, table, wantsJson } from '../support/output';
import { percentile } from '../support/percentiles';
import { LENGTHS, probesWithin } from './probes';
import { errandsIn, type Seen } from './writes';

const MACHINES = 'arn:aws:states:us-east-1:000000000000:stateMachine:target-';
/** What `docs/performance.md` promises. */
const GOALS = { endP99Ms: 2_000, delegationP99Ms: 1_000 };
const AT_ONCE = 4;
/** Executions before those that count. */
const WARM_UP = 100;
const TRIAL = 40;
/** Registration may be slower than in the trial; then the machine needs time to become idle. */
const SLACK = 1.6;
const REST_MS = 10_000;
const POLL_MS = 1_000;
const PATIENCE_MS = 120_000;

interface Sizes {
  perSec: number;
  seconds: number;
  lasts: number;
}

interface Figures {
  count: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

interface Ended {
  writes: TimedRowWrite[];
  seen: Seen[];
}

interface Measured {
  before: Machine;
  after: Machine;
  endings: Figures;
  delegations: Figures;
  writes: number;
}

run('bench:errands', async () => {
  const sizes = numbersFrom({ perSec: 50, seconds: 30, lasts: 10 });
  const assembly = await synthesize({ settings: { allowedTargetArns: [`${MACHINES}*`] } });
  let host: Host | undefined;
  try {
    host = await Host.start({
      ...{ port: 0, dataDir: undefined, assembly, keepsRowWrites: true },
      stateMachines: [parseScript(`*=${sizes.lasts}s`)],
    });
    const measured = await measure(host, sizes);
    const { endings, delegations } = measured;
    const isReached = endings.p99Ms < GOALS.endP99Ms && delegations.p99Ms <= GOALS.delegationP99Ms;
    if (wantsJson()) printJson({ ...measured, isReached });
    else show(measured);
    if (!isReached) process.exitCode = 1;
  } finally {
    await host?.stop();
  }
});

async function measure(host: Host, { perSec, seconds, lasts }: Sizes): Promise<Measured> {
  const count = perSec * seconds;
  // The first requests load the code, and tell nothing of the rest.
  await register(host, 'first', TRIAL, later);
  const trialMs = await register(host, 'trial', TRIAL, later);
  const startMs = Date.now() + (trialMs / TRIAL) * (count + WARM_UP) * SLACK + REST_MS;
  await register(host, 'warm-up', WARM_UP, () => startMs - REST_MS + Math.random() * REST_MS * 0.5);
  await register(host, 'work', count, () => startMs + Math.random() * seconds * 1_000);
  if (Date.now() > startMs) throw new Error('registering took too long: the first jobs are due already');
  await sleep(startMs - Date.now() - POLL_MS);
  const before = machine();
  const began = await startsUntil(host, count + WARM_UP, startMs + (seconds + lasts) * 1_000 + PATIENCE_MS);
  await sleep(lasts * 1_000);
  const { writes, seen } = await endsUntil(host, count, startMs);
  const after = machine();
  const lastMs = Math.max(...seen.map(({ endedMs }) => endedMs));
  return {
    ...{ before, after },
    endings: figuresOf(seen.map(({ name, endedMs }) => endedMs - (began.get(name)! + lasts * 1_000))),
    delegations: figuresOf(seen.map(({ claimedMs, delegatedMs }) => delegatedMs - claimedMs)),
    writes: writes.filter(({ t }) => t <= lastMs).length / count,
  };
}

const later = (): number => Date.now() + 3_600_000;

const figuresOf = (values: readonly number[]): Figures => ({
  count: values.length,
  p50Ms: percentile(values, 0.5),
  p99Ms: percentile(values, 0.99),
  maxMs: Math.max(...values),
});

/** @returns how long it took, in ms */
async function register(host: Host, name: string, count: number, dueMs: () => number): Promise<number> {
  const headers = { authorization: `Bearer ${host.run.token}`, 'content-type': 'application/json' };
  const startMs = performance.now();
  await inParallel(
    Array.from({ length: count }, (_, index) => index),
    AT_ONCE,
    async (index) => {
      const body = JSON.stringify({
        jobId: `${name}-${index}`,
        schedule: { type: 'at', at: new Date(dueMs()).toISOString() },
        target: { type: 'stepfunctions', stateMachineArn: `${MACHINES}${name}`, wait: true },
        payload: { index },
        timeout: '1h',
      });
      const response = await host.fetch('/v1/jobs', { method: 'POST', headers, body });
      if (!response.ok) throw new Error(`${name}-${index}: ${response.status} ${await response.text()}`);
    },
  );
  const tookMs = performance.now() - startMs;
  note(`${count} jobs registered in ${(tookMs / 1_000).toFixed(1)} s`);
  return tookMs;
}

/** The writes from then on, once all executions have ended. */
async function endsUntil(host: Host, count: number, fromMs: number): Promise<Ended> {
  for (const limitMs = Date.now() + PATIENCE_MS; ; await sleep(5 * POLL_MS)) {
    const writes = (await host.rowWrites()).filter(({ t }) => t >= fromMs);
    const seen = errandsIn(writes, (jobKey) => jobKey.includes('/work-'));
    if (seen.length >= count) return { writes, seen };
    if (Date.now() > limitMs) throw new Error(`${seen.length} of ${count} executions have ended in time`);
  }
}

/** When each stand-in began, by the name of its errand. They show the newest alone, so one asks often. */
async function startsUntil(host: Host, count: number, limitMs: number): Promise<Map<string, number>> {
  const began = new Map<string, number>();
  while (began.size < count) {
    if (Date.now() > limitMs) throw new Error(`${began.size} of ${count} have been started in time`);
    const response = await host.fetch('/_local/machines.json');
    const { executions } = (await response.json()) as { executions: { name: string; startedMs: number }[] };
    for (const { name, startedMs } of executions) began.set(name, startedMs);
    await sleep(POLL_MS);
  }
  return began;
}

function show({ before, after, endings, delegations, writes }: Measured): void {
  say(`${machineLine(before)}; load ${after.load} at the end\n`);
  const row = (what: string, { count, p50Ms, p99Ms, maxMs }: Figures) => [what, count, p50Ms, p99Ms, maxMs];
  say(
    table(
      ['from … to', 'count', 'p50 ms', 'p99 ms', 'max ms'],
      [row('end of the work … its row', endings), row('claim … delegation', delegations)],
    ),
  );
  say(
    `\n${writes.toFixed(2)} writes of rows for each, of all tables, from the first due time to the last end\n`,
  );
  say(
    table(
      ['probes, by how long it runs', ...Object.keys(LENGTHS)],
      (['stepfunctions', 'ecs'] as const).map((type) => [
        type,
        ...Object.values(LENGTHS).map((ms) => probesWithin(type, ms)),
      ]),
    ),
  );
}
