import { createHash } from 'node:crypto';

import { targetsOf, type Job, type JobDefinition } from '../../core/domain/job';
import { secretNamesOf } from '../../core/domain/target-secrets';
import { queuesOf } from '../../core/domain/work';
import type { Workflow, WorkflowRef } from '../../core/domain/workflow/definition';
import { neededBy } from '../../core/domain/workflow/waits-below';
import { jobKeyOf } from '../../core/contracts/tables';
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

/**
 * Writes the version of a job's workflow before the job names it, unless the job names it already. The
 * row of its use comes first: by that, the auditor lets a version expire that no job names.
 */
export async function putVersion(
  current: Job | undefined,
  job: Job,
  moment: WriteDeadline,
  deps: ApiDeps,
): Promise<void> {
  const { workflow } = job;
  if (!workflow || workflow.savedBy === current?.workflow?.savedBy) return;
  const { version, number, content } = workflow;
  if (!content) throw new Error(`version ${version} of ${jobKeyOf(job)} is to be saved without its content`);
  const flow = {
    version,
    number,
    workflow: content,
    savedAtMs: moment.nowMs,
    ...(job.by && { by: job.by }),
  };
  await withinDeadline(moment, (options) => deps.flows.put(jobKeyOf(job), flow, options), deps);
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
