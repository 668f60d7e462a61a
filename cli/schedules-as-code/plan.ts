import {
  type JobWithEtag,
  NotFoundError,
  type Quarterjack,
  type Schedule,
  ValidationError,
} from '../../client';
import { inParallel } from '../commands/in-parallel';
import { type ApiDescription, type Definition, definitionOf, withDefaults } from './definition';
import { diff, type FieldChange } from './diff';
import { FileError, type FileJob } from './jobs-file';

export interface AddedJob {
  job: FileJob;
  /** The first time that its schedule gives; null where it gives none. */
  firstAt: string | null;
}

export interface ChangedJob {
  job: FileJob;
  changes: FieldChange[];
  /** What is to become of it, where the file says so and it is otherwise. */
  pausing?: 'pause' | 'resume';
  /** Of the job that was compared: applied to no other. */
  etag: string;
}

export interface Plan {
  added: AddedJob[];
  changed: ChangedJob[];
  /** Not in the file, though they have the tag that is pruned. */
  removed: { jobId: string; definition: Definition }[];
  unchanged: string[];
}

export const isEmpty = ({ added, changed, removed }: Plan): boolean =>
  added.length + changed.length + removed.length === 0;

/**
 * Compares a file with what is there. Schedules that are new are tried, so that a plan that is shown can be applied.
 * `step` is called for each job. Throws a `FileError` for schedules that cannot be.
 */
export async function makePlan(
  client: Quarterjack,
  file: readonly FileJob[],
  { prune, step = () => undefined }: { prune?: string; step?: () => void } = {},
): Promise<Plan> {
  const plan: Plan = { added: [], changed: [], removed: [], unchanged: [] };
  const problems: string[] = [];
  const api = (await client.openApi()) as unknown as ApiDescription;
  const outcomes = await inParallel(file, async (job) => {
    const current = await currentOf(client, job.jobId);
    const change = current && changeOf(job, current, api);
    const isNew = !change || change.changes.some(({ path }) => /^schedule\b/.test(path));
    const firstAt = isNew ? await firstTimeOf(client, job, problems) : null;
    step();
    return { job, change, firstAt };
  });
  for (const { job, change, firstAt } of outcomes) {
    if (!change) plan.added.push({ job, firstAt });
    else if (change.changes.length > 0 || change.pausing) plan.changed.push(change);
    else plan.unchanged.push(job.jobId);
  }
  if (problems.length > 0) throw new FileError(problems);
  if (prune !== undefined) plan.removed = await prunedBy(client, prune, file);
  return plan;
}

async function currentOf(client: Quarterjack, jobId: string): Promise<JobWithEtag | undefined> {
  try {
    return await client.jobs.get(jobId);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

function changeOf(job: FileJob, current: JobWithEtag, api: ApiDescription): ChangedJob {
  const isPaused = current.status === 'paused';
  const pausing =
    job.paused === undefined || job.paused === isPaused ? undefined : job.paused ? 'pause' : 'resume';
  return {
    job,
    changes: diff(definitionOf(current), withDefaults(job.definition, api)),
    // What is over can be paused as little as it can fire.
    pausing: current.status === 'completed' ? undefined : pausing,
    etag: current.etag,
  };
}

async function firstTimeOf(client: Quarterjack, job: FileJob, problems: string[]): Promise<string | null> {
  try {
    const { times } = await client.preview(job.definition.schedule as Schedule, { count: 1 });
    return times[0]?.at ?? null;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    problems.push(...problemsOf(error, job));
    return null;
  }
}

/** What the API refused, in words that lead to the line. */
export const problemsOf = (error: ValidationError, job: FileJob): string[] =>
  error.errors.length > 0
    ? error.errors.map(({ path, message }) => `${job.where(path)}: ${job.jobId}: ${path}: ${message}`)
    : [`${job.where()}: ${job.jobId}: ${error.detail}`];

async function prunedBy(
  client: Quarterjack,
  tag: string,
  file: readonly FileJob[],
): Promise<Plan['removed']> {
  const kept = new Set(file.map(({ jobId }) => jobId));
  const removed: Plan['removed'] = [];
  for await (const job of client.jobs.list({ tag: [tag], limit: 100 })) {
    if (!kept.has(job.jobId)) removed.push({ jobId: job.jobId, definition: definitionOf(job) });
  }
  return removed;
}
