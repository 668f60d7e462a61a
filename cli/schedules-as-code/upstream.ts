import type { FieldProblem } from '../../client';
import { isObject } from '../is-object';
import type { FileJob } from './jobs-file';

/** The jobs that must exist before a job of a file: those that it waits for, and those of its tasks. */
export const neededBy = (job: Pick<FileJob, 'definition'> | undefined): string[] => [
  ...upstreamOf(job),
  ...childrenOf(job).map(([, jobId]) => jobId),
];

/** The tasks of a job of a file that start other jobs, and those jobs. */
function childrenOf(job: Pick<FileJob, 'definition'> | undefined): [task: string, jobId: string][] {
  const workflow = job?.definition.workflow;
  if (!isObject(workflow) || !isObject(workflow.tasks)) return [];
  return Object.entries(workflow.tasks).flatMap(([id, task]): [string, string][] =>
    isObject(task) && typeof task.job === 'string' ? [[id, task.job]] : [],
  );
}

function upstreamOf(job: Pick<FileJob, 'definition'> | undefined): string[] {
  const schedule = job?.definition.schedule;
  if (!isObject(schedule) || schedule.type !== 'after' || !Array.isArray(schedule.jobs)) return [];
  return schedule.jobs.filter((jobId) => typeof jobId === 'string');
}

/** Items in waves: a job comes after those of the same files that it needs, which must exist before it. */
export function upstreamFirst<Item extends { jobId: string; job?: FileJob }>(
  items: readonly Item[],
): Item[][] {
  const waves: Item[][] = [];
  let left = [...items];
  while (left.length > 0) {
    const open = new Set(left.map(({ jobId }) => jobId));
    const free = left.filter(({ job }) => neededBy(job).every((jobId) => !open.has(jobId)));
    // Jobs that need each other in a circle: the API rejects them.
    const wave = free.length > 0 ? free : left;
    waves.push(wave);
    left = left.filter((item) => !wave.includes(item));
  }
  return waves;
}

/** Whether the API rejects a job only because it needs one that the same files create. */
export function awaitsPlanned(
  { path, message }: FieldProblem,
  job: Pick<FileJob, 'definition'>,
  planned: ReadonlySet<string>,
): boolean {
  const [, index] = /^schedule\.jobs\.(\d+)$/.exec(path) ?? [];
  const [, taskId] = /^workflow\.tasks\.(.+)\.job$/.exec(path) ?? [];
  const jobId =
    index === undefined ? childrenOf(job).find(([id]) => id === taskId)?.[1] : upstreamOf(job)[Number(index)];
  return jobId !== undefined && planned.has(jobId) && message.includes('is no job of this project');
}
