import { jobKeyOf, parseCompactInstant } from '../../core/contracts/tables';
import { type Execution, NEVER_CLAIMED } from '../../core/domain/execution';
import type { Job } from '../../core/domain/job';
import { waitingDetailOf } from '../../core/domain/work';
import type { Params } from '../../core/domain/workflow/params';
import { attemptEntry, attemptMessage, sendOrLeave } from '../../core/queue/attempt-entries';
import { entryOfRepeat } from '../../core/queue/repeated-start';
import { startDeadline, withinDeadline, type WriteDeadline } from '../../core/store/write-deadline';
import type { ApiDeps } from '../request';
import { putExternalId, putParams } from './new-run';

/** Where a manual run comes from: what its user has asked for, and who that is. */
export interface RunOrigin extends Pick<
  Execution,
  | 'deliveryDepth'
  | 'trace'
  | 'userRequest'
  | 'payload'
  | 'delayedOf'
  | 'key'
  | 'keyTtlMs'
  | 'priority'
  | 'tags'
  | 'runTags'
  | 'externalId'
> {
  params?: Params | undefined;
}

/** The row of a manual run that has not started. It is due at the time of its id. */
export function newRun(job: Job, execId: string, { params, ...asked }: RunOrigin, nowMs: number): Execution {
  const dueAtMs = parseCompactInstant(execId);
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  return {
    jobKey: jobKeyOf(job),
    execId,
    trigger: 'manual',
    dueAtMs,
    status: 'queued',
    ...NEVER_CLAIMED,
    startAtMs: notBefore(dueAtMs, nowMs),
    jobCreatedAtMs: job.createdAtMs,
    ...(Object.fromEntries(given) as Partial<Execution>),
    orderingKey: job.orderingKey ?? undefined,
    ...(params && { hasParams: true }),
    ...waitingDetailOf(job),
  };
}

/**
 * Starts a manual run, now or later. Order of writes: its external id → its parameters → the entry of its
 * first attempt → its row → the message.
 *
 * @returns its row, and whether this call has written it: an earlier request may have
 */
export async function startRun(
  run: Execution,
  params: Params | undefined,
  job: Job,
  deps: ApiDeps,
  deadline: WriteDeadline = startDeadline(deps.clock),
): Promise<{ run: Execution; created: boolean }> {
  const { jobKey, execId, startAtMs = run.dueAtMs } = run;
  await putExternalId(run, deps);
  if (params) await putParams(run, params, deadline, deps);
  const wait = { jobKey, execId, attempt: 1, startAtMs };
  await deps.schedule.putEntries([await attemptEntry(wait, deps)], deadline.leftMs());
  const outcome = await withinDeadline(deadline, (options) => deps.executions.putQueued(run, options), deps);
  if (outcome === 'exists') return { run: (await deps.executions.get(run)) ?? run, created: false };
  await sendOrLeave(attemptMessage(run, { attempt: 1, startAtMs }, job), deps);
  return { run, created: true };
}

/**
 * Starts a run whose first request may have been given up before its row was written. If the row came later
 * than the recheck of its entry, nothing else would start it. Throws `ProblemError` 429 if an entry is to be
 * filed, and the minute has no room for it.
 */
export async function ensureStarted(run: Execution, job: Job, deps: ApiDeps): Promise<void> {
  if (run.status !== 'queued' || run.fence > 0) return;
  const entry = await entryOfRepeat(run, deps);
  if (!entry) return;
  await deps.quotas.chargeRate(job.userId, 'changes');
  await deps.schedule.putEntries([entry]);
  const startAtMs = notBefore(run.startAtMs ?? run.dueAtMs, deps.clock.nowMs());
  await sendOrLeave(attemptMessage(run, { attempt: run.attempt, startAtMs }, job), deps);
}

/**
 * The due time is an earlier clock reading, perhaps of another machine. A clock may have been set back since.
 */
const notBefore = (dueAtMs: number, nowMs: number): number => Math.max(dueAtMs, nowMs);
