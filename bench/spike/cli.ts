/**
 * Many jobs of many users and all priorities are due at the same instant, and one machine runs them. The
 * bench measures the time until the last delivery, the order of the priorities and repeated messages. It also
 * measures peak memory and processor time of the local run.
 *
 * `npm run bench:spike -- [--jobs 20000] [--ahead 330] [--ramp 0] [--batch 1] [--json]`
 *
 * `--ahead`: seconds between the last registration and the instant. From about 320 on, the scanner dispatches
 * everything, as it does for jobs that were created long before. Below that, the API dispatches the jobs, and
 * the scanner sends those within its horizon again.
 *
 * `--ramp 1`: batches of each queue start one after another, as Lambda starts them after silence.
 *
 * `--batch`: jobs of one request: 1, 2, 5 or 10. More than one are sent to `POST /v1/jobs/batch`.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { inParallel } from '../../lambdas/core/async/in-parallel';
import { Metric } from '../../lambdas/core/contracts/metrics';
import { PRIORITIES } from '../../lambdas/core/contracts/pools';
import { startSystem } from '../../test/support/local-run';
import { type Call, clientsOf } from '../support/client';
import { type Machine, machine, machineLine } from '../support/machine';
import { numbersFrom } from '../support/options';
import { note, printJson, run, say, table, wantsJson } from '../support/output';
import { median } from '../support/percentiles';
import { cpuMsOf, peakMemoryMbOf } from '../support/process';
import { type Receiver, startReceiver } from '../support/receiver';

const AT_ONCE = 8;
const TRIAL = 100;
/** Jobs of each user: below the lowest per-user rate limit, so that nothing overflows. Limits `--batch`. */
const JOBS_A_USER = 10;
/** Registration may be slower than in the trial. */
const SLACK = 1.3;
/** The drain has ended when nothing has arrived for this long. */
const SILENCE_MS = 90_000;
const HOUR_MS = 3_600_000;

interface Spike {
  machine: Machine;
  loadAfter: number;
  jobs: number;
  jobsARequest: number;
  /** Whether batches started as Lambda starts them, in place of all at once. */
  lambdaRamp: boolean;
  arrived: number;
  /** Deliveries of one execution beyond its first. */
  repeated: number;
  early: number;
  registeredPerSec: number;
  drainSec: number;
  drainedPerSec: number;
  /** Seconds from the due time to the arrival of half, and of all, of the jobs of a priority. */
  byPriority: Record<string, { halfSec: number; allSec: number }>;
  /** From the metrics of the stages. */
  messagesResent: number;
  claimsLost: number;
  /** Peak memory of the process that runs everything; 0 if the operating system does not report it. */
  peakMemoryMb: number;
  /** Its processor time for a job, in ms: while all register; from a second before the instant to the end. */
  cpuMsAJob: { registered: number; drained: number };
}

run('bench:spike', async () => {
  const { jobs, ahead, ramp, batch } = numbersFrom({ jobs: 20_000, ahead: 330, ramp: 0, batch: 1 });
  if (ramp > 1) throw new Error(`--ramp is ${ramp}; expected 0 or 1`);
  if (JOBS_A_USER % batch !== 0) throw new Error(`--batch is ${batch}; expected 1, 2, 5 or 10`);
  const dataDir = mkdtempSync(join(tmpdir(), 'quarterjack-spike-'));
  const receiver = await startReceiver();
  try {
    const burst = { jobs, aheadMs: ahead * 1_000, lambdaRamp: ramp === 1, jobsARequest: batch };
    const spike = await drain(burst, dataDir, receiver);
    if (wantsJson()) printJson(spike);
    else report(spike);
  } finally {
    receiver.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

interface Burst {
  jobs: number;
  aheadMs: number;
  lambdaRamp: boolean;
  jobsARequest: number;
}

async function drain(burst: Burst, dataDir: string, receiver: Receiver): Promise<Spike> {
  const { jobs, aheadMs, lambdaRamp, jobsARequest } = burst;
  const flags = lambdaRamp ? ['--lambda-ramp'] : [];
  const system = await startSystem('--port', '0', '--data', dataDir, ...flags);
  try {
    const calls = await clientsOf(system, Math.ceil(Math.max(jobs, TRIAL) / JOBS_A_USER));
    const register = registrationBy(calls, receiver.url, jobsARequest);

    const later = new Date(Date.now() + HOUR_MS).toISOString();
    await register(TRIAL, 'warm-up', later);
    const trialStartMs = performance.now();
    await register(TRIAL, 'trial', later);
    const msAJob = (performance.now() - trialStartMs) / TRIAL;

    const dueMs = Math.ceil((Date.now() + jobs * msAJob * SLACK + aheadMs) / 1_000) * 1_000;
    const at = new Date(dueMs).toISOString();
    const startMs = performance.now();
    const startCpuMs = cpuMsOf(system.pid);
    await register(jobs, 'spike', at);
    const registeredPerSec = jobs / ((performance.now() - startMs) / 1_000);
    const registered = (cpuMsOf(system.pid) - startCpuMs) / jobs;
    note(`${jobs} jobs registered, ${registeredPerSec.toFixed(0)} a second; due at ${at}`);

    await sleep(dueMs - Date.now() - 1_000);
    const dueCpuMs = cpuMsOf(system.pid);
    await receiver.waitFor(1, dueMs - Date.now() + SILENCE_MS);
    const before = machine();
    for (let seen = -1; receiver.arrivals.length > seen && receiver.arrivals.length < jobs;) {
      seen = receiver.arrivals.length;
      await receiver.waitFor(jobs, SILENCE_MS);
    }
    const drainedCpuMs = cpuMsOf(system.pid);
    const drained = (drainedCpuMs - dueCpuMs) / jobs;
    const peakMemoryMb = peakMemoryMbOf(system.pid);
    await system.end(); // the stages have then written their metrics
    return {
      ...spikeOf(jobs, receiver),
      ...countsIn(dataDir),
      lambdaRamp,
      jobsARequest,
      machine: before,
      loadAfter: machine().load,
      registeredPerSec,
      peakMemoryMb,
      cpuMsAJob: { registered, drained },
    };
  } finally {
    await system.end();
  }
}

/** A function that registers `count` jobs for one instant. Rejects unless all are created. */
function registrationBy(calls: readonly Call[], url: string, jobsARequest: number) {
  const jobOf = (name: string, at: string, index: number) => ({
    jobId: `${name}-${index}`,
    schedule: { type: 'at', at },
    target: { type: 'http', url },
    priority: PRIORITIES[index % PRIORITIES.length],
    payload: { index },
  });
  return (count: number, name: string, at: string) =>
    inParallel(requestsOf(count, jobsARequest), AT_ONCE, async (indices) => {
      const call = calls[Math.floor(indices[0]! / JOBS_A_USER)]!;
      const jobs = indices.map((index) => jobOf(name, at, index));
      if (jobsARequest === 1) await call('POST', '/v1/jobs', jobs[0]);
      else allCreated(await call('POST', '/v1/jobs/batch', { jobs }));
    });
}

/** The indices of each request. */
const requestsOf = (jobs: number, jobsARequest: number): number[][] =>
  Array.from({ length: Math.ceil(jobs / jobsARequest) }, (_, request) => {
    const from = request * jobsARequest;
    return Array.from({ length: Math.min(jobsARequest, jobs - from) }, (_, index) => from + index);
  });

/** A batch answers 207 whatever became of its items. */
function allCreated(answer: unknown): void {
  const { outcomes } = answer as { outcomes: readonly { status: number }[] };
  const failed = outcomes.find(({ status }) => status !== 201);
  if (failed) throw new Error(`POST /v1/jobs/batch answered ${JSON.stringify(failed)}`);
}

function spikeOf(jobs: number, { arrivals }: Receiver) {
  const latenessSec = (priority: number) =>
    arrivals
      .filter(({ jobId }) => Number(jobId.replace(/^\D+/, '')) % PRIORITIES.length === priority)
      .map(({ latenessMs }) => latenessMs / 1_000);
  const drainSec = Math.max(...arrivals.map(({ latenessMs }) => latenessMs)) / 1_000;
  return {
    jobs,
    arrived: new Set(arrivals.map(({ jobId }) => jobId)).size,
    repeated: arrivals.length - new Set(arrivals.map(({ jobId, execId }) => `${jobId} ${execId}`)).size,
    early: arrivals.filter(({ latenessMs }) => latenessMs < 0).length,
    drainSec,
    drainedPerSec: arrivals.length / drainSec,
    byPriority: Object.fromEntries(
      PRIORITIES.map((priority, index) => {
        const sec = latenessSec(index);
        return [priority, { halfSec: median(sec), allSec: Math.max(...sec) }];
      }),
    ),
  };
}

/** Sums the metrics in the functions' logs, which have one line of metrics for each invocation. */
function countsIn(dataDir: string): { messagesResent: number; claimsLost: number } {
  const sums: Record<string, number> = {};
  const logDir = join(dataDir, 'logs');
  for (const file of readdirSync(logDir)) {
    for (const line of readFileSync(join(logDir, file), 'utf8').split('\n')) {
      if (!line.includes('"_aws"')) continue;
      const metrics = JSON.parse(line) as Record<string, unknown>;
      for (const name of [Metric.resent, Metric.claimLost])
        sums[name] =
          (sums[name] ?? 0) +
          [metrics[name] ?? 0].flat().reduce<number>((sum, value) => sum + Number(value), 0);
    }
  }
  return { messagesResent: sums[Metric.resent] ?? 0, claimsLost: sums[Metric.claimLost] ?? 0 };
}

function report(spike: Spike): void {
  const ramp = spike.lambdaRamp ? "; with Lambda's ramp" : '';
  const batch = spike.jobsARequest > 1 ? `; ${spike.jobsARequest} jobs a request` : '';
  say(`${machineLine(spike.machine)}; load ${spike.loadAfter} at the end${ramp}${batch}\n`);
  say(
    table(
      [
        'jobs',
        'arrived',
        'repeated',
        'early',
        'registered/s',
        'drained in s',
        'drained/s',
        'sent again',
        'claims lost',
        'peak MB',
        'CPU ms to register',
        'to drain',
      ],
      [
        [
          spike.jobs,
          spike.arrived,
          spike.repeated,
          spike.early,
          Math.round(spike.registeredPerSec),
          spike.drainSec.toFixed(1),
          Math.round(spike.drainedPerSec),
          spike.messagesResent,
          spike.claimsLost,
          spike.peakMemoryMb,
          spike.cpuMsAJob.registered.toFixed(2),
          spike.cpuMsAJob.drained.toFixed(2),
        ],
      ],
    ),
  );
  say();
  say(
    table(
      ['priority', 'half of them after s', 'all of them after s'],
      Object.entries(spike.byPriority).map(([name, { halfSec, allSec }]) => [
        name,
        halfSec.toFixed(1),
        allSec.toFixed(1),
      ]),
    ),
  );
}
