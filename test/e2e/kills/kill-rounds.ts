import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '../../support/eventually';
import { FakeRandom } from '../../support/fake-random';
import { Host } from '../../support/local/host';
import { register, wantedJob } from './load';
import { startReceiver } from './receiver';
import { broken, type ExecutionSeen, isOver, type JobSeen } from './verdict';

const STAGES = ['Api', 'Tick', 'Scanner', 'Executor', 'Sweeper', 'Auditor'];
/** Where most of the work is. */
const BUSY_STAGES = ['Executor', 'Executor', 'Scanner', 'Sweeper', 'Api'];
const EVERYTHING_AT = 0.3;
const CLIENTS = 4;
const PAUSE_MS = 150;
/** A lease has to go stale, be found, and the attempt be made again, at worst some times over. */
const QUIET_WITHIN_MS = 300_000;

export interface KillRounds {
  rounds: number;
  seed: number;
  dataDir: string;
  onRound?(line: string): void;
}

export interface KillReport {
  jobs: number;
  occurrences: number;
  deliveries: number;
  killedWorkers: number;
  killedRuns: number;
  /** Attempts that died with their worker and were made again. */
  lostAttempts: number;
  broken: string[];
}

/**
 * Kills single workers, and now and then the whole local run, at random instants while clients register jobs and jobs
 * fire; then lets it come to rest, and holds what the target saw against what the API says. The instants are those of
 * the machine: the seed decides what is killed and what is registered, not what is hit by it.
 */
export async function killRounds({ rounds, seed, dataDir, onRound }: KillRounds): Promise<KillReport> {
  const random = new FakeRandom(seed);
  // Apart, because clients take their turns as the machine lets them: so the seed alone decides what is killed.
  const whatToRegister = new FakeRandom(seed);
  const receiver = await startReceiver();
  const start = () => Host.start({ port: 0, dataDir });
  let host = await start();
  const over = new AbortController();
  const registered: { jobId: string; planned: number }[] = [];
  const { token } = host.run;
  const api = { url: () => host.run.url, token, stop: over.signal };
  let made = 0;
  const client = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const job = wantedJob(made++, receiver.url, whatToRegister);
      if (await register(job, api)) registered.push(job);
      await sleep(PAUSE_MS);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  const killed = { workers: 0, runs: 0 };
  try {
    for (let round = 1; round <= rounds; round++) {
      await sleep(random.between(300, 2_500));
      if (random.fraction() < EVERYTHING_AT) {
        await host.kill();
        host = await start();
        killed.runs += 1;
        onRound?.(`${round}: everything`);
      } else {
        const stage = random.pick(random.fraction() < 0.8 ? BUSY_STAGES : STAGES);
        const hit = await host.killWorker(stage);
        if (hit) killed.workers += 1;
        onRound?.(`${round}: ${stage}${hit ? '' : ' (had no worker)'}`);
      }
    }
    over.abort();
    await clients;
    const seen = await eventually(
      () => Promise.all(registered.map((job) => readJob(job, api))),
      (jobs) => jobs.every(isOver),
      QUIET_WITHIN_MS,
    ).catch(() => Promise.all(registered.map((job) => readJob(job, api))));
    return {
      jobs: seen.length,
      occurrences: seen.reduce((sum, { planned }) => sum + planned, 0),
      deliveries: receiver.deliveries.length,
      killedWorkers: killed.workers,
      killedRuns: killed.runs,
      lostAttempts: seen
        .flatMap(({ executions }) => executions.flatMap(({ attempts }) => attempts))
        .filter(({ outcome }) => outcome === 'lost').length,
      broken: broken(seen, receiver.deliveries),
    };
  } finally {
    over.abort();
    await clients.catch(() => undefined);
    await host.stop();
    receiver.stop();
  }
}

async function readJob(
  { jobId, planned }: { jobId: string; planned: number },
  api: { url(): string; token: string },
): Promise<JobSeen> {
  const answer = await fetch(`${api.url()}/v1/jobs/${jobId}/executions?limit=100`, {
    headers: { authorization: `Bearer ${api.token}` },
  });
  if (answer.status !== 200) throw new Error(`${jobId}: ${answer.status} ${await answer.text()}`);
  const { items } = (await answer.json()) as { items: ExecutionSeen[] };
  return { jobId, planned, executions: items };
}
