import { DAY_MS } from '../core/clock/clock';
import { BEFORE_TAG, type DeployedJob, RESOURCE_TAG, SOURCE_TAG } from '../core/contracts/custom-resources';
import type { ProjectJobs, StoredJob } from './project-jobs';

export interface WantedJobs {
  /** The resource that keeps the jobs: `<stack>/<logical id>`. */
  resource: string;
  source: string;
  /** What all jobs call. */
  target: object;
  jobs: readonly DeployedJob[];
  /** So many may go at once, also if these are most of them. */
  allowedRemovals: number;
}

/** A job as it is to be, and as it was. */
export interface PlannedJob extends DeployedJob {
  before: StoredJob | undefined;
}

export interface JobsPlan {
  wanted: PlannedJob[];
  /** Jobs of the resource that its manifest no longer has. */
  removed: StoredJob[];
}

/**
 * What has to be done for jobs to be as wanted. Throws an Error if others own some, or if too many would go.
 */
export async function planJobs(
  { resource, source, target, jobs, allowedRemovals }: WantedJobs,
  project: ProjectJobs,
  nowMs: number,
): Promise<JobsPlan> {
  const stored = new Map<string, StoredJob | undefined>();
  await project.each(jobs, async ({ jobId }) => stored.set(jobId, await project.get(jobId)));
  const faults = jobs.flatMap(({ jobId }) => ownerFault(stored.get(jobId), resource, source) ?? []);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const own = await project.tagged(RESOURCE_TAG, resource);
  const removed = own.filter(({ jobId }) => !stored.has(jobId));
  checkRemovals({ removed, own, defined: jobs.length }, allowedRemovals, nowMs);
  const wanted = jobs.map((job): PlannedJob => {
    const before = stored.get(job.jobId);
    const tags = {
      ...(job.definition.tags as object | undefined),
      [SOURCE_TAG]: source,
      [RESOURCE_TAG]: resource,
      ...(isOfOther(before, resource) && { [BEFORE_TAG]: String(before.changeNumber) }),
    };
    return { ...job, definition: { ...job.definition, target, tags }, before };
  });
  return { wanted, removed };
}

const isOfOther = (job: StoredJob | undefined, resource: string): job is StoredJob =>
  job !== undefined && job.tags[RESOURCE_TAG] !== resource;

/** Jobs come over from the command line, and from a resource of the same stack, which moves them so. */
function ownerFault(job: StoredJob | undefined, resource: string, source: string): string | undefined {
  if (!job) return undefined;
  const { [SOURCE_TAG]: owner, [RESOURCE_TAG]: keeper } = job.tags;
  if (keeper !== undefined)
    return stackOf(keeper) === stackOf(resource)
      ? undefined
      : `${job.jobId} is a job of the stack ${stackOf(keeper)}, and not of ${stackOf(resource)}`;
  if (owner === source) return undefined;
  return owner === undefined
    ? `${job.jobId} exists already, and has no source`
    : `${job.jobId} is a job of ${owner}, and not of ${source}`;
}

const stackOf = (resource: string): string => resource.slice(0, resource.indexOf('/'));

/** So few jobs may go without a word. */
const FEW_REMOVALS = 3;

/**
 * Throws an Error if much would go: all jobs, or more than half of them and more than three. A module that
 * has lost an import looks like that. What is younger than a day does not count: a rollback removes what its
 * update has made, and must not fail.
 */
function checkRemovals(
  { removed, own, defined }: { removed: readonly StoredJob[]; own: readonly StoredJob[]; defined: number },
  allowed: number,
  nowMs: number,
): void {
  const isOld = ({ createdAt, tags }: StoredJob) =>
    nowMs - Date.parse(createdAt) >= DAY_MS && tags[BEFORE_TAG] === undefined;
  const count = removed.filter(isOld).length;
  const isMuch = count > 0 && (defined === 0 || (count > FEW_REMOVALS && count > own.length / 2));
  if (isMuch && count > allowed)
    throw new Error(
      `this would remove ${count} of ${own.length} jobs: if that is meant, set allowRemovals to ${count}`,
    );
}
