import { isObject } from '../is-object';
import type { Definition } from '../schedules-as-code/definition';
import type { FileJob } from '../schedules-as-code/jobs-file';
import type { Manifest } from './manifest';
import type { TargetOf } from './target';

/** The tag that says which program owns a job. */
export const SOURCE_TAG = 'quarterjack/source';

/** The jobs of a manifest as those of a file: with what is called, their owner, and their prefix. */
export function jobsOfManifest(
  { jobs }: Manifest,
  { path, source, prefix, targetOf }: { path: string; source: string; prefix: string; targetOf: TargetOf },
): FileJob[] {
  const own = new Set(jobs.map(({ jobId }) => jobId));
  const named = (jobId: string) => (own.has(jobId) ? prefix + jobId : jobId);
  return jobs.map(({ jobId, paused, definition, payloadSchema }) => ({
    jobId: prefix + jobId,
    ...(paused !== undefined && { paused }),
    definition: {
      ...(payloadSchema && { payloadSchema }),
      ...definition,
      schedule: scheduleOf(definition, named),
      tags: { ...(isObject(definition.tags) && definition.tags), [SOURCE_TAG]: source },
      target: targetOf(definition),
    },
    where: () => path,
  }));
}

/** With the deployed ids of the jobs that it waits for. */
function scheduleOf({ schedule }: Definition, named: (jobId: string) => string): unknown {
  if (!isObject(schedule) || schedule.type !== 'after' || !Array.isArray(schedule.jobs)) return schedule;
  return {
    ...schedule,
    jobs: schedule.jobs.map((jobId: unknown) => (typeof jobId === 'string' ? named(jobId) : jobId)),
  };
}
