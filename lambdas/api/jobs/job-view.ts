import type { JobView, TargetView } from '../../core/http/answers';
import { DEFINITION_FIELDS } from '../../core/http/job';
import type { Execution } from '../../core/domain/execution';
import type { Job, JobDefinition } from '../../core/domain/job';
import type { Target } from '../../core/domain/target';
import { etagHeader } from '../http/etag';
import { instantText, optionalInstant } from '../http/instants';
import { type DerivedStatus, derivedJobStatus } from './derived-job-status';
import type { ApiDeps, ApiResponse } from '../request';

/** A job for its user: what it says, and what follows from it. `last` undefined: not asked for. */
export function jobView(job: Job, derived: DerivedStatus, last?: Execution | null): JobView {
  return {
    jobId: job.jobId,
    ...definitionView(job),
    status: derived.status,
    generation: job.generation,
    createdAt: instantText(job.createdAtMs),
    updatedAt: instantText(job.updatedAtMs),
    nextFireAt: optionalInstant(derived.nextFireAtMs),
    ...(last === undefined ? {} : { lastExecution: last && lastView(last) }),
  };
}

function definitionView(
  job: Job,
): Omit<JobDefinition, 'target' | 'targets'> & Pick<JobView, 'target' | 'targets'> {
  const present = DEFINITION_FIELDS.filter((field) => job[field] !== undefined);
  const definition = Object.fromEntries(
    present.map((field) => [field, job[field]]),
  ) as unknown as JobDefinition;
  const { target, targets, ...rest } = definition;
  return targets ? { ...rest, targets: targets.map(targetView) } : { ...rest, target: targetView(target) };
}

/** Those that may report say whether they do. */
const targetView = (target: Target): TargetView =>
  target.type === 'http' || target.type === 'lambda' ? { ...target, mode: target.mode ?? 'sync' } : target;

const lastView = ({ execId, status, dueAtMs }: Execution) => ({
  execId,
  status,
  dueAt: instantText(dueAtMs),
});

/** One job as an answer, with its ETag. What was made just now has no execution yet, so none is read. */
export async function jobResponse(
  status: 200 | 201,
  job: Job,
  deps: ApiDeps,
  { isNew = false } = {},
): Promise<ApiResponse> {
  const derived = await derivedJobStatus(job, { nowMs: deps.clock.nowMs(), withLast: !isNew }, deps);
  return {
    status,
    headers: {
      etag: etagHeader(job),
      ...(status === 201 ? { location: `/v1/jobs/${job.jobId}` } : {}),
    },
    body: jobView(job, derived, derived.last ?? null),
  };
}
