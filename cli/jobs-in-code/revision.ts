import type { Quarterjack } from '../../client';
import { CliError, ExitCode } from '../exit-codes';
import { isObject } from '../is-object';
import type { FileJob } from '../schedules-as-code/jobs-file';
import { SOURCE_TAG } from './jobs-of-manifest';
import { isRevision } from './manifest';

/** The tag of one job of a source that says which revision was deployed last. */
const REVISION_TAG = 'quarterjack/revision';

const EXPECTED = `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`;

/** The value of `--revision`. Throws a `CliError`. */
export function revisionOf(text: string): number {
  const revision = /^\d{1,16}$/.test(text) ? Number(text) : undefined;
  if (isRevision(revision)) return revision;
  throw new CliError(`--revision is ${JSON.stringify(text)}; expected ${EXPECTED}`);
}

interface Stored {
  revision: number;
  jobId: string;
}

/** The highest revision that a job of the source has. */
async function storedRevision({ jobs }: Quarterjack, source: string): Promise<Stored | undefined> {
  let stored: Stored | undefined;
  for await (const { jobId, tags } of jobs.list({ tag: [`${SOURCE_TAG}:${source}`], limit: 100 })) {
    const revision = Number(tags[REVISION_TAG]);
    if (isRevision(revision) && revision > (stored?.revision ?? -1)) stored = { revision, jobId };
  }
  return stored;
}

/**
 * The jobs of a source, of which one keeps the revision. So a deployment that changes nothing else changes
 * one job, and not all. Without a revision, the stored one stays.
 */
export async function withRevision(
  jobs: readonly FileJob[],
  source: string,
  asked: number | undefined,
  client: Quarterjack,
): Promise<readonly FileJob[]> {
  const stored = await storedRevision(client, source);
  const revision = asked ?? stored?.revision;
  if (revision === undefined) return jobs;
  const keeper = jobs.find(({ jobId }) => jobId === stored?.jobId) ?? jobs[0];
  return jobs.map((job) => (job === keeper ? tagged(job, String(revision)) : job));
}

/**
 * Throws a `CliError` for a revision that is lower than the stored one. It comes after the plan: a newer
 * deployment that comes later still finds the ETags of the plan outdated.
 */
export async function checkRevision(
  source: string,
  asked: number | undefined,
  client: Quarterjack,
): Promise<void> {
  const stored = asked === undefined ? undefined : await storedRevision(client, source);
  if (stored && asked! < stored.revision)
    throw new CliError(
      `the revision is ${asked}, and revision ${stored.revision} of ${source} is deployed already: an older one changes nothing`,
      ExitCode.conflict,
    );
}

const tagged = ({ definition, ...job }: FileJob, revision: string): FileJob => ({
  ...job,
  definition: {
    ...definition,
    tags: { ...(isObject(definition.tags) && definition.tags), [REVISION_TAG]: revision },
  },
});
