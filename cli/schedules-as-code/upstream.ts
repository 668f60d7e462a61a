import type { FieldProblem } from '../../client';
import { isObject } from '../is-object';
import type { FileJob } from './jobs-file';

/** The jobs that a job of a file waits for. */
export function upstreamOf(job: Pick<FileJob, 'definition'> | undefined): string[] {
  const schedule = job?.definition.schedule;
  if (!isObject(schedule) || schedule.type !== 'after' || !Array.isArray(schedule.jobs)) return [];
  return schedule.jobs.filter((jobId) => typeof jobId === 'string');
}

/**
 * Items in waves: a job comes after those of the same files that it waits for, which must exist before it.
 */
export function upstreamFirst<Item extends { jobId: string; job?: FileJob }>(
  items: readonly Item[],
): Item[][] {
  const waves: Item[][] = [];
  let left = [...items];
  while (left.length > 0) {
    const open = new Set(left.map(({ jobId }) => jobId));
    const free = left.filter(({ job }) => upstreamOf(job).every((jobId) => !open.has(jobId)));
    // Jobs that wait for each other in a circle: the API rejects them.
    const wave = free.length > 0 ? free : left;
    waves.push(wave);
    left = left.filter((item) => !wave.includes(item));
  }
  return waves;
}

/** Whether the API rejects a job only because it waits for one that the same files create. */
export function awaitsPlanned(
  { path, message }: FieldProblem,
  job: Pick<FileJob, 'definition'>,
  planned: ReadonlySet<string>,
): boolean {
  const [, index] = /^schedule\.jobs\.(\d+)$/.exec(path) ?? [];
  const jobId = index === undefined ? undefined : upstreamOf(job)[Number(index)];
  return jobId !== undefined && planned.has(jobId) && message.includes('is no job of this project');
}
