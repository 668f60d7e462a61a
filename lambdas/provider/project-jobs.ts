import { inParallel } from '../core/async/in-parallel';
import type { Clock } from '../core/clock/clock';
import type { DeployedJob } from '../core/contracts/custom-resources';
import type { Operation } from '../core/contracts/routes';
import {
  type ApiResult,
  expectStatus,
  PAUSES_MS,
  problemText,
  type ProjectApi,
  RETRIED,
} from './project-api';

/** What is read of a job. */
export interface StoredJob {
  jobId: string;
  status: 'active' | 'paused' | 'completed';
  /** Only of a job that is paused until then. */
  pausedUntil?: string;
  changeNumber: number;
  createdAt: string;
  tags: Readonly<Record<string, string>>;
}

/** Bounds of a batch of the API. */
const BATCH_JOBS = 100;
const BATCH_BYTES = 900_000;
const PARALLEL = 10;

/** The jobs of a project. Each method throws an Error with the words of the API. */
export class ProjectJobs {
  constructor(
    private readonly project: string,
    private readonly deps: { api: ProjectApi; clock: Pick<Clock, 'sleep'> },
  ) {}

  async get(jobId: string): Promise<StoredJob | undefined> {
    const { status, body } = await this.call('getJob', jobId, [200, 404]);
    return status === 404 ? undefined : (body as StoredJob);
  }

  /** All jobs that have a tag. */
  async tagged(key: string, value: string): Promise<StoredJob[]> {
    const found: StoredJob[] = [];
    let cursor: string | null | undefined;
    do {
      const query = { tag: `${key}:${value}`, limit: '100', ...(cursor && { cursor }) };
      const { body } = await this.send({ operation: 'listJobs', query }, [200]);
      const page = body as { items: StoredJob[]; nextCursor?: string | null };
      found.push(...page.items.filter(({ tags }) => tags[key] === value));
      cursor = page.nextCursor;
    } while (cursor);
    return found;
  }

  /** Creates or replaces jobs, each after those that it waits for. */
  async putAll(jobs: readonly DeployedJob[]): Promise<void> {
    for (const batch of batchesOf(upstreamFirst(jobs))) await this.putBatch(batch);
  }

  /** @param until undefined: until a user resumes it */
  pause(jobId: string, until?: string): Promise<unknown> {
    const call = { operation: 'pauseJob', pathParameters: { jobId }, body: { until } } as const;
    return this.send(call, [200]);
  }

  resume(jobId: string): Promise<unknown> {
    return this.call('resumeJob', jobId, [200]);
  }

  /** A job that is gone already counts as deleted. */
  remove(jobId: string): Promise<unknown> {
    return this.call('deleteJob', jobId, [200, 204, 404]);
  }

  /** Gives a job the definition again that a change gave it. False if that is not kept any more. */
  async restore(jobId: string, changeNumber: number): Promise<boolean> {
    const pathParameters = { jobId, number: String(changeNumber) };
    const { status } = await this.send({ operation: 'restoreJob', pathParameters }, [200, 201, 404]);
    return status !== 404;
  }

  /** Works on jobs, some at a time. */
  each<Job>(jobs: Iterable<Job>, work: (job: Job) => Promise<unknown>): Promise<void> {
    return inParallel(jobs, PARALLEL, work);
  }

  private call(operation: Operation, jobId: string, expected: readonly number[]): Promise<ApiResult> {
    return this.send({ operation, pathParameters: { jobId } }, expected);
  }

  private send(call: Parameters<ProjectApi>[1], expected: readonly number[]): Promise<ApiResult> {
    const { api, clock } = this.deps;
    return expectStatus(expected, () => api(this.project, call), clock);
  }

  private async putBatch(batch: readonly DeployedJob[]): Promise<void> {
    let left = batch;
    for (let tries = 0; ; tries++) {
      const outcomes = await this.tryBatch(left);
      const refused = outcomes.filter(({ status }) => status >= 400 && !RETRIED.includes(status));
      const throttled = outcomes.filter(({ status }) => RETRIED.includes(status));
      const pauseMs = PAUSES_MS[tries];
      const lost = refused.length > 0 || pauseMs === undefined ? [...refused, ...throttled] : [];
      if (lost.length > 0)
        throw new Error(lost.map((one) => `${one.job.jobId}: ${problemText(one)}`).join('\n'));
      if (throttled.length === 0) return;
      await this.deps.clock.sleep(pauseMs!);
      left = throttled.map(({ job }) => job);
    }
  }

  private async tryBatch(batch: readonly DeployedJob[]): Promise<(ApiResult & { job: DeployedJob })[]> {
    const jobs = batch.map(({ jobId, definition }) => ({ ...definition, jobId }));
    const call = { operation: 'createJobs', query: { replace: 'true' }, body: { jobs } } as const;
    const { body } = await this.send(call, [207]);
    const { outcomes } = body as { outcomes: { status: number; problem?: object }[] };
    return outcomes.map(({ status, problem }, index) => ({ job: batch[index]!, status, body: problem }));
  }
}

function batchesOf(jobs: readonly DeployedJob[]): DeployedJob[][] {
  const batches: DeployedJob[][] = [];
  let bytes = Infinity;
  for (const job of jobs) {
    const size = Buffer.byteLength(JSON.stringify(job));
    if (bytes + size > BATCH_BYTES || batches.at(-1)!.length === BATCH_JOBS) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)!.push(job);
    bytes += size;
  }
  return batches;
}

/** The API refuses a job that waits for one that does not exist yet. */
function upstreamFirst(jobs: readonly DeployedJob[]): DeployedJob[] {
  const sorted: DeployedJob[] = [];
  let left = [...jobs];
  while (left.length > 0) {
    const open = new Set(left.map(({ jobId }) => jobId));
    const free = left.filter((job) => upstreamOf(job).every((jobId) => !open.has(jobId)));
    // What is left waits for itself: the API says so.
    const wave = free.length > 0 ? free : left;
    sorted.push(...wave);
    left = left.filter((job) => !wave.includes(job));
  }
  return sorted;
}

function upstreamOf({ definition }: DeployedJob): readonly string[] {
  const { type, jobs } = (definition.schedule ?? {}) as { type?: string; jobs?: readonly string[] };
  return type === 'after' && Array.isArray(jobs) ? jobs : [];
}
