import { MAX_CHILD_DEPTH } from '../../core/domain/workflow/children';
import { circleOfWaits, textOfCircle } from '../../core/domain/workflow/waits-below';
import type { Job } from '../../core/domain/job';
import { type FieldError, invalid } from '../http/problem';
import type { ReadJobs } from './check-causes';

/** Jobs that may lie below one job. */
const MAX_BELOW = 200;

/**
 * Checks the jobs that the tasks of a workflow start, if neither it nor the job's concurrency key is that of
 * before. Throws `ProblemError` 400 in these cases:
 *
 * - such a job does not exist, or takes no such input;
 * - the jobs would start each other in a circle, or too deep;
 * - their executions could wait for each other in a circle.
 *
 * Two saves at once may close a circle that neither of them sees, and so may a later save of a job below. The
 * start of a child checks it again.
 */
export async function checkChildren(current: Job | undefined, job: Job, read: ReadJobs): Promise<void> {
  const { workflow } = job;
  if (!workflow?.jobs || isAsBefore(current, job)) return;
  const known = new Map<string, Job>([[job.jobId, job]]);
  let paths = workflow.jobs.map((jobId) => [job.jobId, jobId]);
  for (let depth = 1; paths.length > 0; depth++) {
    const circle = paths.find((path) => path.at(-1) === job.jobId);
    if (circle) throw at(job, circle[1]!, `closes a circle: ${circle.join(' → ')}`);
    if (depth > MAX_CHILD_DEPTH)
      throw at(job, paths[0]![1]!, `goes deeper than ${MAX_CHILD_DEPTH} jobs: ${paths[0]!.join(' → ')}`);
    const unread = [...new Set(paths.map((path) => path.at(-1)!))].filter((jobId) => !known.has(jobId));
    if (known.size + unread.length > MAX_BELOW + 1)
      throw at(job, paths[0]![1]!, `leads too far: more than ${MAX_BELOW} jobs lie below this one`);
    for (const [jobId, found] of await read(unread)) known.set(jobId, found);
    if (depth === 1) checkInputs(job, known);
    paths = longerPaths(paths, known);
  }
  const found = circleOfWaits(job, known);
  if (found) throw at(job, found.path[1]!, textOfCircle(found));
}

const isAsBefore = (current: Job | undefined, { workflow, concurrencyKey }: Job): boolean =>
  workflow?.version === current?.workflow?.version && concurrencyKey === current?.concurrencyKey;

/** One path to each job of the next level: enough to find a circle, and to name it. */
function longerPaths(paths: readonly string[][], known: ReadonlyMap<string, Job>): string[][] {
  const next = new Map<string, string[]>();
  for (const path of paths)
    for (const jobId of known.get(path.at(-1)!)?.workflow?.jobs ?? [])
      if (!next.has(jobId)) next.set(jobId, [...path, jobId]);
  return [...next.values()];
}

/** Throws `ProblemError` 400. */
function checkInputs(job: Job, known: ReadonlyMap<string, Job>): void {
  const tasks = Object.entries(job.workflow?.content?.tasks ?? {});
  const errors = tasks.flatMap(([id, task]): FieldError[] => {
    if (task.job === undefined) return [];
    const path = `workflow.tasks.${id}`;
    const child = known.get(task.job);
    if (!child) {
      const message = `${JSON.stringify(task.job)} is no job of this project; create it first`;
      return [{ path: `${path}.job`, message }];
    }
    if (child.workflow && task.input !== undefined)
      return [{ path: `${path}.input`, message: `${task.job} has a workflow: use params` }];
    if (!child.workflow && task.params)
      return [{ path: `${path}.params`, message: `${task.job} has no workflow: use input` }];
    return [];
  });
  if (errors.length > 0) throw invalid(errors);
}

/** A fault of the task that leads to a job. */
function at({ workflow }: Job, jobId: string, message: string) {
  const tasks = Object.entries(workflow?.content?.tasks ?? {});
  const [id] = tasks.find(([, task]) => task.job === jobId) ?? [];
  return invalid([{ path: id === undefined ? 'workflow' : `workflow.tasks.${id}.job`, message }]);
}
