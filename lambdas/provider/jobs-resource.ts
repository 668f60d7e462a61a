import { type Clock, DAY_MS, instantText } from '../core/clock/clock';
import {
  BEFORE_TAG,
  type DeployedJob,
  type JobsProperties,
  RESOURCE_TAG,
} from '../core/contracts/custom-resources';
import { type JobsPlan, planJobs } from './jobs-plan';
import type { ProjectApi } from './project-api';
import { ProjectJobs, type StoredJob } from './project-jobs';
import { namedBy, physicalId, type ResourceRequest } from './stack-event';

interface JobsDeps {
  api: ProjectApi;
  /** The text of a manifest in S3. */
  readManifest(url: string): Promise<string>;
  clock: Pick<Clock, 'nowMs' | 'sleep'>;
}

/**
 * Keeps the jobs of a manifest as a stack defines them, and resolves to the physical id. Throws an Error that
 * says what was refused; then all jobs are as they were before.
 *
 * A rollback is an update to the manifest before. Jobs of other programs and resources are never changed.
 */
export async function provideJobs(request: ResourceRequest<JobsProperties>, deps: JobsDeps): Promise<string> {
  const { RequestType, LogicalResourceId, PhysicalResourceId = '' } = request;
  const resource = `${stackNameOf(request.StackId)}/${LogicalResourceId}`;
  if (RequestType === 'Delete') {
    const named = namedBy(PhysicalResourceId);
    if (named) await removeAll(new ProjectJobs(named.project, deps), resource);
    return PhysicalResourceId;
  }
  const { Project, Source, Manifest, Target, AllowRemovals } = request.properties;
  const { jobs } = JSON.parse(await deps.readManifest(Manifest)) as { jobs: DeployedJob[] };
  const project = new ProjectJobs(Project, deps);
  const target = JSON.parse(Target) as object;
  const wanted = { resource, source: Source, target, jobs, allowedRemovals: Number(AllowRemovals) };
  const nowMs = deps.clock.nowMs();
  const plan = await planJobs(wanted, project, nowMs);
  try {
    await applyPlan(plan, project, nowMs);
  } catch (error) {
    await undoPlan(plan, project, deps.clock).catch((undoing: unknown) => {
      throw new AggregateError(
        [error, undoing],
        `${textOf(error)}\nThe jobs could not be put back: ${textOf(undoing)}`,
      );
    });
    throw error;
  }
  return physicalId(Project, LogicalResourceId);
}

/** The name in `arn:aws:cloudformation:<region>:<account>:stack/<name>/<id>`. */
const stackNameOf = (stackId: string): string => stackId.split('/')[1] ?? stackId;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function removeAll(project: ProjectJobs, resource: string): Promise<void> {
  await project.each(await project.tagged(RESOURCE_TAG, resource), (job) => giveUp(job, project));
}

/**
 * Removes a job, or gives it back as it was. A resource may go before its first change because its deployment
 * is rolled back.
 */
async function giveUp({ jobId, tags }: StoredJob, project: ProjectJobs): Promise<void> {
  const before = tags[BEFORE_TAG];
  if (before === undefined || !(await project.restore(jobId, Number(before)))) await project.remove(jobId);
}

/** A job that is made paused has this due time at first: too far away to fire. */
const FAR_MS = 365 * DAY_MS;

async function applyPlan({ wanted, removed }: JobsPlan, project: ProjectJobs, nowMs: number): Promise<void> {
  const far = { type: 'at', at: instantText(nowMs + FAR_MS) };
  const toPause = wanted.filter(({ paused, before }) => paused === true && before?.status !== 'paused');
  const added = toPause.filter(({ before }) => !before);
  // It is never active with its own schedule, which may be due right now.
  await project.putAll(added.map((job) => ({ ...job, definition: { ...job.definition, schedule: far } })));
  await project.each(toPause, ({ jobId }) => project.pause(jobId));
  await project.putAll(wanted);
  const toResume = wanted.filter(({ paused, before }) => paused === false && before?.status === 'paused');
  await project.each(toResume, ({ jobId }) => project.resume(jobId));
  await project.each(removed, (job) => giveUp(job, project));
}

/** Puts all jobs back that have changed since the plan: those that others wait for first. */
async function undoPlan(
  { wanted, removed }: JobsPlan,
  project: ProjectJobs,
  clock: JobsDeps['clock'],
): Promise<void> {
  const changed = wanted.flatMap(({ before }) => before ?? []);
  const added = wanted.filter(({ before }) => !before);
  await project.each(removed, (before) => putBack(before, project, clock));
  await project.each(changed, (before) => putBack(before, project, clock));
  await project.each(added, ({ jobId }) => project.remove(jobId));
}

async function putBack(
  { jobId, changeNumber, status, pausedUntil }: StoredJob,
  project: ProjectJobs,
  clock: JobsDeps['clock'],
): Promise<void> {
  const changed = await project.get(jobId);
  if (changed?.changeNumber === changeNumber) return;
  await project.restore(jobId, changeNumber);
  // A restore leaves a pause as it is, and gives that of a deleted job no end.
  const now = await project.get(jobId);
  const isOver = () => pausedUntil !== undefined && Date.parse(pausedUntil) <= clock.nowMs();
  if (status === 'paused' && !isOver()) {
    if (now?.status === 'paused' && now.pausedUntil === pausedUntil) return;
    try {
      await project.pause(jobId, pausedUntil);
      return;
    } catch (error) {
      // The API refuses an end that passes before it reads the request: the pause would have ended.
      if (!isOver()) throw error;
    }
  }
  if (now?.status === 'paused') await project.resume(jobId);
}
