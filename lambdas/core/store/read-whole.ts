import { type Clock, SECOND_MS } from '../clock/clock';
import type { CalendarKey } from '../contracts/tables';
import type { Execution } from '../domain/execution';
import type { Job } from '../domain/job';
import { IncompleteReadError } from '../errors';
import type { ExecutionRef, ExecutionStore } from './execution-store';
import type { JobStore } from './job-store';

/*
 * Batch reads whose results have all there is: what is absent does not exist. They throw
 * `IncompleteReadError` if a key got no answer. Outside the stores these are the only ones: the lint rule
 * `whole-reads` holds that.
 */

type JobReads = { jobs: Pick<JobStore, 'getMany'> };
type ExecutionReads = { executions: Pick<ExecutionStore, 'getMany'> };

interface ReadOptions {
  /** @default true */
  consistent?: boolean;
  /** Calendars by which the jobs are planned, as `JobStore.getMany` has it. */
  today?: readonly CalendarKey[];
}

/** Rows that can be read, and the keys of those that cannot: a broken row holds up no other one. */
export interface JobsFound {
  jobs: ReadonlyMap<string, Job>;
  unreadable: ReadonlySet<string>;
}

/** As `JobsFound`, by `executionMapKey`. */
export interface ExecutionsFound {
  executions: ReadonlyMap<string, Execution>;
  unreadable: ReadonlySet<string>;
}

/** Jobs by their full ids. */
export async function findJobs(
  jobKeys: readonly string[],
  { jobs }: JobReads,
  { consistent = true, ...today }: ReadOptions = {},
): Promise<JobsFound> {
  const { unread, ...found } = await jobs.getMany(jobKeys, { consistent, ...today });
  if (unread.size > 0) throw new IncompleteReadError('jobs', unread.size);
  return found;
}

/** Jobs by their full ids. Throws if the row of one cannot be read. */
export async function readJobs(
  jobKeys: readonly string[],
  deps: JobReads,
  options?: ReadOptions,
): Promise<ReadonlyMap<string, Job>> {
  const { jobs, unreadable } = await findJobs(jobKeys, deps, options);
  const [broken] = unreadable;
  if (broken !== undefined) throw new Error(`the row of job ${broken} cannot be read`);
  return jobs;
}

/** One job by its full id. Throws if its row cannot be read. */
export const readOneJob = async (
  jobKey: string,
  deps: JobReads,
  options?: ReadOptions,
): Promise<Job | undefined> => (await readJobs([jobKey], deps, options)).get(jobKey);

/**
 * Consistent. Reads again, after 1 s, 2 s …, what got no answer: `tries` times in all.
 *
 * @param today calendars by which the jobs are planned, as `JobStore.getMany` has it
 */
export async function findJobsPatiently(
  jobKeys: readonly string[],
  { today, tries }: { today: readonly CalendarKey[]; tries: number },
  deps: JobReads & { clock: Pick<Clock, 'sleep'> },
): Promise<JobsFound> {
  const found = { jobs: new Map<string, Job>(), unreadable: new Set<string>() };
  let missing = [...new Set(jobKeys)];
  for (let tried = 1; ; tried++) {
    const read = await deps.jobs.getMany(missing, { consistent: true, today });
    for (const [jobKey, job] of read.jobs) found.jobs.set(jobKey, job);
    for (const jobKey of read.unreadable) found.unreadable.add(jobKey);
    if (read.unread.size === 0) return found;
    if (tried === tries) throw new IncompleteReadError('jobs', read.unread.size);
    missing = [...read.unread];
    await deps.clock.sleep(SECOND_MS * tried);
  }
}

/** Executions by `executionMapKey`. */
export async function findExecutions(
  refs: readonly ExecutionRef[],
  { executions }: ExecutionReads,
  { consistent = true }: ReadOptions = {},
): Promise<ExecutionsFound> {
  const { unread, ...found } = await executions.getMany(refs, { consistent });
  if (unread.size > 0) throw new IncompleteReadError('executions', unread.size);
  return found;
}

/** Executions by `executionMapKey`. Throws if a row cannot be read. */
export async function readExecutions(
  refs: readonly ExecutionRef[],
  deps: ExecutionReads,
): Promise<ReadonlyMap<string, Execution>> {
  const { executions, unreadable } = await findExecutions(refs, deps);
  if (unreadable.size > 0)
    throw new Error(`rows of Executions cannot be read: ${[...unreadable].join(', ')}`);
  return executions;
}
