import type { Job } from '../job';
import type { Task, Workflow } from './definition';

/** What decides for whom the executions of a job, and those below it, wait. */
export type JobOfWaits = Pick<Job, 'jobId' | 'overlap' | 'concurrencyKey'> & {
  workflow?: Pick<NonNullable<Job['workflow']>, 'jobs'>;
};

/**
 * Jobs whose executions could wait for each other in a circle (docs/adr/0037), from the first to the last. A
 * run of `holds` has a slot. Its child waits for the lock of `locks`, whose other run waits for a child that
 * needs a slot.
 */
export interface CircleOfWaits {
  path: readonly string[];
  holds: string;
  locks: string;
  needs: string;
}

type Above = Partial<Pick<CircleOfWaits, 'holds' | 'locks'>>;

/** Whether executions of a job hold its lock, and no slot of their own. */
export const locksWithoutSlot = ({ overlap, concurrencyKey }: JobOfWaits): boolean =>
  overlap !== 'allow' && concurrencyKey === undefined;

/**
 * Finds such jobs at or below a job.
 *
 * @param known has all jobs that lie below it
 * @param above what the runs above it hold
 */
export function circleOfWaits(
  job: JobOfWaits,
  known: ReadonlyMap<string, JobOfWaits>,
  above: Above = {},
  path: readonly string[] = [job.jobId],
  seen = new Set<string>(),
): CircleOfWaits | undefined {
  const { jobId, concurrencyKey } = job;
  const { holds, locks } = above;
  const state = `${jobId} ${holds === undefined} ${locks === undefined}`;
  if (seen.has(state)) return undefined;
  seen.add(state);
  const isLimited = concurrencyKey !== undefined;
  if (holds !== undefined && locks !== undefined && isLimited) return { path, holds, locks, needs: jobId };
  const own: Above =
    holds === undefined
      ? { ...(isLimited && { holds: jobId }) }
      : { holds, locks: locks ?? (locksWithoutSlot(job) ? jobId : undefined) };
  for (const childId of job.workflow?.jobs ?? []) {
    const child = known.get(childId);
    const found = child && circleOfWaits(child, known, own, [...path, childId], seen);
    if (found) return found;
  }
  return undefined;
}

/** Names the jobs, and what each of them does. */
export const textOfCircle = ({ path, holds, locks, needs }: CircleOfWaits): string =>
  `its executions could wait for each other: ${path.join(' → ')}. ${holds} holds a slot of its concurrency ` +
  `key while it waits for ${locks}. ${locks} has an overlap policy, and waits for ${needs}, which needs a ` +
  `slot. Remove the overlap policy of ${locks}, or one of the two concurrency keys`;

/**
 * The jobs without whose success no run of a workflow succeeds. Its tasks start them, or await them in a
 * window that has the run's own time. What a condition may exclude does not count, nor does what may fail.
 */
export function neededBy({ tasks }: Pick<Workflow, 'tasks'>): string[] {
  const known = new Map<string, boolean>();
  const isCertain = (id: string): boolean => {
    const certain = known.get(id) ?? isAlwaysBegun(tasks[id]!, isCertain);
    known.set(id, certain);
    return certain;
  };
  const ids = Object.keys(tasks).filter((id) => isCertain(id) && !tasks[id]!.allowFailure);
  return [...new Set(ids.flatMap((id) => jobNeededBy(tasks[id]!) ?? []))].sort();
}

/** Whether each run that succeeds has begun a task: it is neither excluded nor blocked. */
const isAlwaysBegun = (task: Task, isCertain: (id: string) => boolean): boolean =>
  task.enabled !== false &&
  task.when === undefined &&
  task.finally !== 'failed' &&
  task.dependsOn.every((one) => one.if !== 'failed' && one.branch === undefined && isCertain(one.task));

function jobNeededBy({ job, forEach, await: awaits }: Task): string | undefined {
  if (!awaits) return forEach ? undefined : job; // its list may be empty
  const hasOwnTime = typeof awaits.window === 'string' && awaits.window.startsWith('same-');
  return hasOwnTime ? awaits.job : undefined;
}
