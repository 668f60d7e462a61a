import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '../../support/eventually';
import { FakeRandom } from '../../support/fake-random';
import { Host } from '../../support/local/host';
import { register, wantedJob } from './load';
import { startReceiver } from './receiver';
import { journalFaults } from './journal-of-ends';
import { broken, type ExecutionSeen, isOver, type JobSeen } from './broken-promises';

/** Parts of the logical ids of their functions. The executor of long calls has no work here. */
const STAGES = ['Api', 'Tick', 'Scanner', 'StagesExecutor', 'Sweeper', 'Auditor'];
/** The stages that do most of the work. */
const BUSY_STAGES = ['StagesExecutor', 'StagesExecutor', 'Scanner', 'Sweeper', 'Api'];
const EVERYTHING_AT = 0.3;
const CLIENTS = 4;
const PAUSE_MS = 150;
/**
 * Nothing changes while a lease becomes stale and is found: a minute, and on a busy machine several. What
 * changes at times may go on: how long all of it takes depends on the machine.
 */
const CHANGES_WITHIN_MS = 240_000;
const ENDED_WITHIN_MS = 900_000;
/** Reads are work for the machine, too. */
const READ_EVERY_MS = 5_000;

interface Registered {
  jobId: string;
  /** How many occurrences its schedule has. */
  planned: number;
}

interface Api {
  url(): string;
  token: string;
  stop: AbortSignal;
}

export interface KillRounds {
  rounds: number;
  seed: number;
  dataDir: string;
  onRound?(line: string): void;
}

export interface KillReport {
  jobs: number;
  /** Tasks of runs that were called. */
  tasks: number;
  occurrences: number;
  deliveries: number;
  killedWorkers: number;
  killedRuns: number;
  /** Attempts that died with their worker. */
  lostAttempts: number;
  broken: string[];
}

/**
 * Kills single workers, and sometimes the whole local run, at random instants, while clients register jobs
 * and jobs fire. Then waits until all jobs have ended, and compares what the target saw with what the API
 * shows. The seed decides what is killed and what is registered. It does not decide what a kill interrupts,
 * because the instants are real time.
 */
export async function killRounds({ rounds, seed, dataDir, onRound }: KillRounds): Promise<KillReport> {
  const receiver = await startReceiver();
  const hosts = new KillableHost(dataDir, await Host.start({ port: 0, dataDir }));
  const over = new AbortController();
  const api: Api = { url: () => hosts.current.run.url, token: hosts.current.run.token, stop: over.signal };
  // A generator of its own: the clients' order depends on timing, and must not influence what is killed.
  const { registered, clients } = startClients(receiver.url, new FakeRandom(seed), api);
  try {
    const random = new FakeRandom(seed);
    for (let round = 1; round <= rounds; round++) {
      await sleep(random.between(300, 2_500));
      // A slow machine has work to interrupt, too: at least a job for each kill.
      await eventually(
        () => registered.length,
        (count) => count >= round,
        CHANGES_WITHIN_MS,
      );
      const killed = await hosts.killOne(random);
      onRound?.(`${round}: ${killed}`);
    }
    over.abort();
    await clients;
    const ended = await readEnded(registered, api);
    const seen = await Promise.all(ended.map((job) => withTasks(job, api)));
    return {
      jobs: seen.length,
      tasks: seen.flatMap(({ tasks = [] }) => tasks).length,
      occurrences: seen.reduce((sum, { planned }) => sum + planned, 0),
      deliveries: receiver.deliveries.length,
      ...hosts.killed,
      lostAttempts: seen
        .flatMap(({ executions }) => executions.flatMap(({ attempts }) => attempts))
        .filter(({ outcome }) => outcome === 'lost').length,
      broken: [...broken(seen, receiver.deliveries), ...(await journalFaults(ended, api))],
    };
  } finally {
    over.abort();
    await clients.catch(() => undefined);
    await hosts.current.stop();
    receiver.stop();
  }
}

/** A local run that is started again on the same data after it was killed. */
class KillableHost {
  readonly killed = { killedWorkers: 0, killedRuns: 0 };

  constructor(
    private readonly dataDir: string,
    public current: Host,
  ) {}

  /** Kills the whole run, or one worker of a stage. @returns what was killed, for the report of the round */
  async killOne(random: FakeRandom): Promise<string> {
    if (random.fraction() < EVERYTHING_AT) {
      await this.current.kill();
      this.current = await Host.start({ port: 0, dataDir: this.dataDir });
      this.killed.killedRuns += 1;
      return 'everything';
    }
    const stage = random.pick(random.fraction() < 0.8 ? BUSY_STAGES : STAGES);
    const hit = await this.current.killWorker(stage);
    if (hit) this.killed.killedWorkers += 1;
    return `${stage}${hit ? '' : ' (had no worker)'}`;
  }
}

/** Starts clients that register jobs until `api.stop` is aborted. */
function startClients(targetUrl: string, random: FakeRandom, api: Api) {
  const registered: Registered[] = [];
  let made = 0;
  const client = async (): Promise<void> => {
    while (!api.stop.aborted) {
      const job = wantedJob(made++, targetUrl, random);
      if (await register(job, api)) registered.push(job);
      await sleep(PAUSE_MS);
    }
  };
  return { registered, clients: Promise.all(Array.from({ length: CLIENTS }, client)) };
}

/** Reads each job until it has ended, as long as any of them changes. */
async function readEnded(registered: readonly Registered[], api: Api): Promise<JobSeen[]> {
  const startedAtMs = Date.now();
  let changedAtMs = startedAtMs;
  let before = '';
  const ended: JobSeen[] = [];
  for (let open = registered; open.length > 0;) {
    const read: JobSeen[] = [];
    for (const job of open) read.push(await readJob(job, api));
    ended.push(...read.filter(isOver));
    const left = read.filter((job) => !isOver(job));
    const now = JSON.stringify(left);
    if (now !== before) changedAtMs = Date.now();
    if (Date.now() > Math.min(changedAtMs + CHANGES_WITHIN_MS, startedAtMs + ENDED_WITHIN_MS))
      return [...ended, ...left];
    before = now;
    open = left;
    if (left.length > 0) await sleep(READ_EVERY_MS);
  }
  return ended;
}

async function readJob({ jobId, planned }: Registered, api: Api): Promise<JobSeen> {
  const { items } = await read<{ items: ExecutionSeen[] }>(`${jobId}/executions?limit=100`, api);
  return { jobId, planned, executions: items };
}

/** The job with the tasks of its runs. */
async function withTasks(job: JobSeen, api: Api): Promise<JobSeen> {
  const runs = job.executions.filter(({ workflow }) => workflow);
  const tasks = await Promise.all(runs.map(({ execId }) => claimedTasks(job.jobId, execId, api)));
  return { ...job, tasks: tasks.flat() };
}

async function claimedTasks(jobId: string, execId: string, api: Api): Promise<ExecutionSeen[]> {
  const path = `${jobId}/executions/${execId}/tasks`;
  const { items } = await read<{ items: { taskId: string; attempts: number }[] }>(`${path}?limit=100`, api);
  const called = items.filter(({ attempts }) => attempts > 0);
  return Promise.all(
    called.map(async ({ taskId }) => {
      const task = await read<Omit<ExecutionSeen, 'attempts'> & { attemptList: ExecutionSeen['attempts'] }>(
        `${path}/${taskId}`,
        api,
      );
      return { ...task, execId: `${execId}/${taskId}`, skipped: null, attempts: task.attemptList };
    }),
  );
}

async function read<Body>(path: string, api: Api): Promise<Body> {
  const answer = await fetch(`${api.url()}/v1/jobs/${path}`, {
    headers: { authorization: `Bearer ${api.token}` },
  });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Body;
}
