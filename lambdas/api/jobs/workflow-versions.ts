import { createHash } from 'node:crypto';

import { targetsOf, type Job, type JobDefinition } from '../../core/domain/job';
import { secretNamesOf } from '../../core/domain/target-secrets';
import { queuesOf } from '../../core/domain/work';
import type { Workflow, WorkflowRef } from '../../core/domain/workflow/definition';
import { neededBy } from '../../core/domain/workflow/waits-below';
import { DAY_MS } from '../../core/clock/clock';
import { jobKeyOf } from '../../core/contracts/tables';
import { expiresAtSecAfter } from '../../core/domain/timing';
import type { StageDeps } from '../../core/deps';
import { withinDeadline, type WriteDeadline } from '../../core/store/write-deadline';
import { canonicalJson } from '../http/json';
import { conflict } from '../http/problem';
import type { ApiDeps } from '../request';

const VERSION_CHARACTERS = 22;

/**
 * A workflow as a definition names it: by its content. Equal workflows have equal versions, whatever the
 * order of their keys. `number` and `savedBy` are those of the job that gets it.
 */
export function workflowRefOf(content: Workflow): WorkflowRef {
  const text = canonicalJson(content);
  const tasks = Object.values(content.tasks);
  const secrets = secretNamesOf(tasks.flatMap(targetsOf));
  const jobs = [...new Set(tasks.flatMap(({ job }) => job ?? []))].sort();
  const awaits = [...new Set(tasks.flatMap((task) => task.await?.job ?? []))].sort();
  const needs = neededBy(content);
  const queues = queuesOf(tasks.flatMap(targetsOf));
  return {
    version: createHash('sha256').update(text).digest('base64url').slice(0, VERSION_CHARACTERS),
    number: 0,
    tasks: tasks.length,
    bytes: Buffer.byteLength(text),
    savedBy: '',
    ...(secrets.length > 0 && { secrets }),
    ...(jobs.length > 0 && { jobs }),
    ...(awaits.length > 0 && { awaits }),
    ...(needs.length > 0 && { needs }),
    ...(queues.length > 0 && { queues }),
    content,
  };
}

/** A run may have started right before its version was replaced, and lasts at most 30 days. */
const LONGEST_RUN_MS = 31 * DAY_MS;

/**
 * Writes the version of a job's workflow before the job names it, unless the job names it already. A version
 * that is left over by a crash does no harm.
 */
export async function putVersion(
  current: Job | undefined,
  job: Job,
  moment: WriteDeadline,
  deps: ApiDeps,
): Promise<void> {
  const { workflow } = job;
  if (!workflow || workflow.savedBy === current?.workflow?.savedBy) return;
  const { version, number, savedBy, content } = workflow;
  if (!content) throw new Error(`version ${version} of ${jobKeyOf(job)} is to be saved without its content`);
  const flow = {
    version,
    number,
    savedBy,
    workflow: content,
    savedAtMs: moment.nowMs,
    ...(job.by && { by: job.by }),
  };
  await withinDeadline(moment, (options) => deps.flows.put(jobKeyOf(job), flow, options), deps);
}

/**
 * Lets the version expire that a change has replaced, or that lost a race: once no run needs it. A failure
 * only keeps it for ever.
 *
 * @param next the job now; undefined: it is deleted
 */
export async function expireVersion(
  { workflow: before, ...replaced }: Job,
  next: Job | undefined,
  nowMs: number,
  deps: ApiDeps,
): Promise<void> {
  if (!before || before.version === next?.workflow?.version) return;
  const jobKey = jobKeyOf(replaced);
  try {
    await deps.flows.expire(jobKey, before, expiresAtSecAfter(nowMs + LONGEST_RUN_MS, deps.retentionDays));
  } catch (error) {
    deps.log.error('a replaced version of a workflow is kept', error, {
      job: jobKey,
      version: before.version,
    });
  }
}

/**
 * A definition with the workflow that it names. Throws `ProblemError` 409 if that version is no longer kept.
 *
 * @param jobKey the job whose versions it names
 */
export async function withContent<Definition extends Pick<JobDefinition, 'workflow'>>(
  jobKey: string,
  definition: Definition,
  { flows }: Pick<StageDeps, 'flows'>,
): Promise<Definition> {
  const { workflow } = definition;
  if (!workflow || workflow.content) return definition;
  const flow = await flows.get(jobKey, workflow.version);
  if (!flow) throw conflict(`version ${workflow.version} of the job's workflow is no longer kept`);
  return { ...definition, workflow: { ...workflow, content: flow.workflow } };
}
