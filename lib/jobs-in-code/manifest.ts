import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import {
  type DeployedJob,
  MAX_JOBS,
  RESERVED_TAGS,
  SOURCE_TAG,
} from '../../lambdas/core/contracts/custom-resources';
import { JOB_ID_FORM } from '../check-value';

const FORMAT = 'quarterjack.jobs/1';

/** The jobs of a program, as `quarterjack define` prints them. */
export interface Manifest {
  readonly source?: string;
  readonly jobs: readonly ManifestJob[];
}

export interface ManifestJob extends DeployedJob {
  readonly payloadSchema?: Readonly<Record<string, unknown>>;
}

/** A manifest in a file. Throws an Error for what is none. */
export function readManifest(path: string): Manifest {
  const fault = (what: string) => new Error(`${path}: is no manifest of jobs: ${what}`);
  let value: Partial<Manifest> & { format?: unknown };
  try {
    value = Object(JSON.parse(readFileSync(path, 'utf8'))) as typeof value;
  } catch (error) {
    throw fault((error as Error).message);
  }
  if (value.format !== FORMAT) throw fault(`format must be ${FORMAT}`);
  const { source, jobs } = value;
  if (source !== undefined && typeof source !== 'string') throw fault('source must be a text');
  if (!Array.isArray(jobs)) throw fault('jobs must be a list');
  const wrong = (jobs as Partial<ManifestJob>[]).findIndex(
    (job) => typeof job?.jobId !== 'string' || typeof Object(job.definition) !== typeof job.definition,
  );
  if (wrong >= 0) throw fault(`jobs.${wrong} must have jobId and definition`);
  return { jobs: jobs as ManifestJob[], ...(source !== undefined && { source }) };
}

/** What the nearest package.json names as the source: `{ "quarterjack": { "source": "shop" } }`. */
export function sourceOfPackage(path: string): string | undefined {
  for (let dir = dirname(path), last = ''; dir !== last; last = dir, dir = dirname(dir)) {
    const file = join(dir, 'package.json');
    if (!existsSync(file)) continue;
    const { quarterjack } = JSON.parse(readFileSync(file, 'utf8')) as { quarterjack?: { source?: unknown } };
    return typeof quarterjack?.source === 'string' ? quarterjack.source : undefined;
  }
  return undefined;
}

/** The jobs as they are deployed, in the order of their ids, so that the same jobs have the same bytes. */
export function deployedJobs(
  { jobs }: Manifest,
  { prefix, source }: { prefix: string; source: string },
): DeployedJob[] {
  const own = new Set(jobs.map(({ jobId }) => jobId));
  const named = (jobId: unknown) => (typeof jobId === 'string' && own.has(jobId) ? prefix + jobId : jobId);
  return jobs
    .toSorted((a, b) => (a.jobId < b.jobId ? -1 : 1))
    .map(({ jobId, paused, definition, payloadSchema }) => ({
      jobId: prefix + jobId,
      ...(paused !== undefined && { paused }),
      definition: {
        ...(payloadSchema && { payloadSchema }),
        ...definition,
        schedule: scheduleOf(definition.schedule, named),
        tags: { ...(definition.tags as object | undefined), [SOURCE_TAG]: source },
      },
    }));
}

/** With the deployed ids of the jobs that it waits for. */
function scheduleOf(schedule: unknown, named: (jobId: unknown) => unknown): unknown {
  const { type, jobs } = Object(schedule) as { type?: unknown; jobs?: unknown };
  return type === 'after' && Array.isArray(jobs)
    ? { ...(schedule as object), jobs: jobs.map((jobId: unknown) => named(jobId)) }
    : schedule;
}

/** Ids that the API refuses, as they are with their prefix. */
export const idFaults = (jobIds: readonly string[]): string[] =>
  jobIds
    .filter((jobId) => !JOB_ID_FORM.test(jobId))
    .map(
      (jobId) => `${jobId}: an id has 1 to 64 letters, digits, ".", "_" and "-", the first a letter or digit`,
    );

/** What no deployment takes of a manifest, each in a line. */
export function manifestFaults({ jobs }: Manifest): string[] {
  const ids = jobs.map(({ jobId }) => jobId);
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  return [
    ...(jobs.length === 0 ? ['it exports no job'] : []),
    ...(jobs.length > MAX_JOBS ? [`it has ${jobs.length} jobs; at most ${MAX_JOBS}`] : []),
    ...[...repeated].map((id) => `two jobs have the id ${id}`),
    ...jobs.flatMap(({ jobId, definition }) =>
      Object.keys(Object(definition.tags) as object)
        .filter((key) => key.startsWith(RESERVED_TAGS))
        .map((key) => `${jobId}: tags that begin with ${RESERVED_TAGS} are set by deploying: ${key}`),
    ),
  ];
}
