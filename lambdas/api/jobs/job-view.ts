import { isIncidentTarget } from '../../core/domain/incident';
import { instantText } from '../../core/clock/clock';
import type { JobView, TargetView } from '../../core/http/openapi/answers';
import { DEFINITION_FIELDS } from '../../core/domain/definition-fields';
import type { Execution } from '../../core/domain/execution';
import type { Job, JobDefinition } from '../../core/domain/job';
import { completePolicy } from '../../core/domain/retry-policy';
import type { Target } from '../../core/domain/target';
import type { Task, Workflow, WorkflowRef } from '../../core/domain/workflow/definition';
import type { WorkflowView } from '../../core/http/openapi/workflow-answers';
import { jobKeyOf } from '../../core/contracts/tables';
import { type DerivedStatus, derivedJobStatus } from './derived-job-status';
import type { JobWithSchedule } from './job-changes';
import type { ApiDeps, ApiResponse } from '../request';
import type { PendingMisfits } from './pending-misfits';
import { withContent } from './workflow-versions';

/** A job as the API shows it. `last` undefined: `lastExecution` is left out. */
export function jobView(
  job: Job,
  { status, nextFireAtMs }: Pick<DerivedStatus, 'status' | 'nextFireAtMs'>,
  last?: Execution | null,
): JobView {
  return {
    jobId: job.jobId,
    ...definitionView(job),
    status,
    generation: job.generation,
    createdAt: instantText(job.createdAtMs),
    updatedAt: instantText(job.updatedAtMs),
    scheduleChangedAt: instantText(job.scheduleChangedAtMs),
    ...(job.resumeAtMs !== undefined && { pausedUntil: instantText(job.resumeAtMs) }),
    by: job.by ?? null,
    changeNumber: job.changeNumber,
    ...(job.workflow && { workflowVersion: versionView(job.workflow) }),
    ...(job.note !== undefined && { note: job.note }),
    ...(job.payloadSchema && { payloadSchemaUnchecked: [...(job.payloadSchemaUnchecked ?? [])] }),
    nextFireAt: nextFireAtMs === undefined ? null : instantText(nextFireAtMs),
    ...(last === undefined ? {} : { lastExecution: last && lastView(last) }),
  };
}

/** Fields that are shown in another form than they are stored in. */
type ShownFields = 'retry' | 'target' | 'targets' | 'workflow' | 'templates' | 'onEnd';

/** A definition as the API shows it, and as PUT takes it. A workflow is shown if its content was read. */
export function definitionView(
  job: JobDefinition,
): Omit<JobDefinition, ShownFields> & Pick<JobView, ShownFields> {
  const present = DEFINITION_FIELDS.filter((field) => job[field] !== undefined);
  const definition = Object.fromEntries(
    present.map((field) => [field, job[field]]),
  ) as unknown as JobDefinition;
  const { target, targets, workflow, onEnd, ...others } = definition;
  const rest = {
    ...others,
    retry: completePolicy(job.retry),
    templates: job.templates ?? false,
    ...(onEnd && { onEnd: onEndView(onEnd) }),
  };
  if (workflow) return workflow.content ? { ...rest, workflow: workflowView(workflow.content) } : rest;
  return targets ? { ...rest, targets: targets.map(targetView) } : { ...rest, target: targetView(target!) };
}

/** A workflow as PUT takes it, with all defaults. */
export const workflowView = ({ tasks, ...workflow }: Workflow): WorkflowView => ({
  ...workflow,
  tasks: Object.fromEntries(Object.entries(tasks).map(([id, task]) => [id, taskView(task)])),
});

type ShownTask = WorkflowView['tasks'][string];

const taskView = ({ target, targets, ...task }: Task): ShownTask => ({
  ...(task as Omit<ShownTask, 'target' | 'targets'>), // its lists are read only, those of a view are not
  allowFailure: task.allowFailure ?? false,
  enabled: task.enabled ?? true,
  ...(target && { target: targetView(target) }),
  ...(targets && { targets: targets.map(targetView) }),
});

const versionView = ({ version, number, tasks }: WorkflowRef) => ({ version, number, tasks });

const onEndView = ({ succeeded, failed }: NonNullable<JobDefinition['onEnd']>): JobView['onEnd'] => ({
  ...(succeeded && { succeeded: targetView(succeeded) }),
  ...(failed && { failed: targetView(failed) }),
});

/** Targets of the types that may report show their mode, even if it is the default. */
export function targetView(target: Target): TargetView {
  if (target.type === 'email' || isIncidentTarget(target))
    throw new Error(`no job has a target "${target.type}"`);
  if (target.type === 'monitor') return { ...target, methods: [...target.methods] };
  if (target.type !== 'http' && target.type !== 'lambda') return target;
  const mode = target.mode ?? 'sync';
  if (target.type === 'lambda') return { ...target, mode };
  const { cloudEvents, ...http } = target;
  return { ...http, mode, ...(cloudEvents && { cloudEvents: true }) };
}

const lastView = ({ execId, status, dueAtMs }: Execution) => ({
  execId,
  status,
  dueAt: instantText(dueAtMs),
});

/** A response with one job and its ETag. A new job has no execution yet, so none is read. */
export async function jobResponse(
  status: 200 | 201,
  scheduled: JobWithSchedule & { misfits?: PendingMisfits | undefined },
  deps: ApiDeps,
  { isNew = false } = {},
): Promise<ApiResponse> {
  const job = await withContent(jobKeyOf(scheduled.job), scheduled.job, deps);
  const options = { nowMs: deps.clock.nowMs(), rows: isNew ? 0 : 1 };
  const jobStatus = await derivedJobStatus(scheduled, options, deps);
  return {
    status,
    headers: {
      etag: `"${job.etag}"`,
      ...(status === 201 ? { location: `/v1/jobs/${job.jobId}` } : {}),
    },
    body: {
      ...jobView(job, jobStatus, jobStatus.last ?? null),
      ...(scheduled.misfits && { pendingMisfits: scheduled.misfits }),
    },
  };
}
