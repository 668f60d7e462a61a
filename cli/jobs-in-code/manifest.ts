import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { ManifestJob } from '../../client/jobs-in-code/manifest-job';
import { CliError } from '../exit-codes';
import { isObject } from '../is-object';
import { uncheckedIn } from './unchecked';

const FORMAT = 'quarterjack.jobs/1';
const RESERVED_TAGS = 'quarterjack/';

/** The jobs of a program as one document: what any language can write, and `deploy` takes. */
export interface Manifest {
  format: typeof FORMAT;
  /** The program that owns the jobs. */
  source?: string;
  /** Deployments of a source go up: a lower one is refused. */
  revision?: number;
  jobs: (ManifestJob & Unchecked)[];
}

interface Unchecked {
  /** Pointers to what the server does not check of the payload schema. */
  unchecked: string[];
}

/** In the order of their ids, so that the same jobs have the same bytes. */
export const manifestOf = (jobs: readonly ManifestJob[], source: string | undefined): Manifest => ({
  format: FORMAT,
  ...(source !== undefined && { source }),
  jobs: jobs
    .toSorted((a, b) => (a.jobId < b.jobId ? -1 : 1))
    .map((job) => ({ ...job, unchecked: uncheckedIn(job.payloadSchema ?? job.definition.payloadSchema) })),
});

export const manifestText = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`;

export const isRevision = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

/** A manifest in a file. Throws a `CliError` for what is none. */
export function parseManifest(text: string, path: string): Manifest {
  const fault = (what: string) => new CliError(`${path}: is no manifest of jobs: ${what}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw fault((error as Error).message);
  }
  if (!isObject(value) || value.format !== FORMAT) throw fault(`format must be ${FORMAT}`);
  const { source, revision, jobs } = value;
  if (source !== undefined && typeof source !== 'string') throw fault('source must be a text');
  if (revision !== undefined && !isRevision(revision))
    throw fault('revision must be a whole number from 0 on');
  if (!Array.isArray(jobs)) throw fault('jobs must be a list');
  const read = jobs.map((job: unknown, index): ManifestJob => {
    if (!isObject(job) || typeof job.jobId !== 'string' || !isObject(job.definition))
      throw fault(`jobs.${index} must have jobId and definition`);
    const { jobId, paused, definition, payloadSchema } = job;
    const tags = Object.keys(isObject(definition.tags) ? definition.tags : {});
    const reserved = tags.find((tag) => tag.startsWith(RESERVED_TAGS));
    if (reserved !== undefined)
      throw fault(`jobs.${index} has the tag ${reserved}: those that begin so are set by deploying`);
    if (payloadSchema !== undefined && !isObject(payloadSchema))
      throw fault(`jobs.${index}.payloadSchema must be an object`);
    if (paused !== undefined && typeof paused !== 'boolean')
      throw fault(`jobs.${index}.paused must be a boolean`);
    return {
      jobId,
      ...(paused !== undefined && { paused }),
      definition,
      ...(payloadSchema && { payloadSchema }),
    };
  });
  const repeated = read.find(({ jobId }, index) => read.findIndex((one) => one.jobId === jobId) !== index);
  if (repeated) throw fault(`two jobs have the id ${repeated.jobId}`);
  return { ...manifestOf(read, source), ...(revision !== undefined && { revision }) };
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
