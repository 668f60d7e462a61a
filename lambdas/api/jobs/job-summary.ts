import { instantText } from '../../core/clock/clock';
import type { Execution } from '../../core/domain/execution';
import { type Job, targetsOf } from '../../core/domain/job';
import { kindOf } from '../../core/domain/job-kind';
import { addressOf } from '../../core/domain/target';
import type { JobSummary, RunSummary } from '../../core/http/lookup-answers';
import type { DerivedStatus } from './derived-job-status';

/** A job without its payload, headers and policies. `history`: how many executions it shows; 0: none. */
export function jobSummary(
  job: Job,
  { status, nextFireAtMs, last, newest }: DerivedStatus,
  history: number,
): JobSummary {
  return {
    jobId: job.jobId,
    ...(job.name !== undefined && { name: job.name }),
    kind: kindOf(job),
    schedule: job.schedule,
    targets: targetsOf(job).map((target) => ({ type: target.type, address: addressOf(target) })),
    priority: job.priority,
    pool: job.pool,
    tags: job.tags,
    status,
    generation: job.generation,
    createdAt: instantText(job.createdAtMs),
    updatedAt: instantText(job.updatedAtMs),
    scheduleChangedAt: instantText(job.scheduleChangedAtMs),
    nextFireAt: optionalInstant(nextFireAtMs),
    lastExecution: last ? runSummary(last) : null,
    ...(history > 0 && { history: newest.slice(0, history).map(runSummary) }),
  };
}

const runSummary = (execution: Execution): RunSummary => ({
  execId: execution.execId,
  trigger: execution.trigger as RunSummary['trigger'],
  status: execution.status,
  reason: execution.reason ?? null,
  dueAt: instantText(execution.dueAtMs),
  startedAt: optionalInstant(execution.startedAtMs),
  finishedAt: optionalInstant(execution.finishedAtMs),
  latenessMs: execution.latenessMs ?? null,
});

const optionalInstant = (ms: number | undefined): string | null =>
  ms === undefined ? null : instantText(ms);
