import { SECOND_MS } from '../clock/clock';
import { jobKeyOf, jobRefOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import { openTargets } from '../domain/attempt-records';
import { renderChecked } from '../delivery/job-templates/render-job';
import { entryAfter, scheduleOf } from '../domain/entry-planning';
import type { DelegatedLease, Execution } from '../domain/execution';
import type { Job } from '../domain/job';
import { leaseLimitMs } from '../domain/lease';
import { runsThrough } from '../domain/planned-times';
import { shardOf } from '../domain/shard';
import { awaitsClaim, workerTargetOf } from '../domain/work';
import { isPausedRun } from '../domain/workflow/progress';
import { isTaskExecution, runOf } from '../domain/workflow/task-id';
import { endNotStarted, startLimitMs } from '../ending/end-not-started';
import { limitEntry, recheckEntryNow } from '../queue/attempt-entries';
import { parseDuration } from '../schedule/duration';
import type { Lease } from '../store/execution-store';
import { readOneJob } from '../store/read-whole';
import type { WorkTicket } from '../store/work-store';
import { claimPassed, passGates } from './claim';
import { returnUnbegun } from './return-unbegun';
import { handleRefusal } from './handle-refusal';
import { isLate } from './late-claim';
import type { LeaseHandle } from '../store/lease-handle';
import { settleAttempt } from './settle';
import { carryOut, toDeliver } from './to-deliver';

/** Claimed work, as its worker gets it. */
export interface ClaimedWork {
  execution: Execution;
  lease: Lease;
  /** Rendered; of a task, the task as a job. */
  job: Job;
  /** Whose values the templates took: the execution or, of a task, its run. */
  of: Execution;
}

/** Who claims. */
export interface Claimant {
  /** The id of the claim: by it, a repeated claim recognises its own. */
  claimId: string;
  /** The name that the worker has given itself. */
  worker: string | undefined;
}

/** A deleted job names no times: its claim finds that out, and ends. */
const WITHOUT_JOB = { heartbeatTimeout: '60s', timeout: '5m' };

/**
 * Claims the execution of a ticket for a worker, through the gates and the claim that the executor uses. The
 * ticket goes, whatever becomes of it: what still waits is covered by an entry.
 *
 * Order of writes: the entry at the limit of the lease → the claim → the ticket's removal. A crash after the
 * claim leaves a ticket that the next claim removes.
 *
 * @returns undefined: it is not to be handed out
 */
export async function claimTicket(
  ticket: WorkTicket,
  claimant: Claimant,
  deps: StageDeps,
): Promise<ClaimedWork | undefined> {
  const { message } = ticket;
  const row = await deps.executions.get(message);
  if (row && isOwnClaim(row, claimant)) return handOut(row, ticket, deps);
  if (!awaitsClaim(message, row)) return drop(ticket, deps);
  const { job, run } = await jobBehind(message, deps);
  if (run && isPausedRun(run.run)) return drop(ticket, deps); // its resumption offers it again
  if (deps.clock.nowMs() > (await startLimitMs(ticket, job, deps))) {
    await endNotStarted({ ticket, row, job, by: 'other' }, deps);
    return drop(ticket, deps);
  }
  const before = isLate(message, deps.clock.nowMs()) ? Promise.resolve(job) : undefined;
  const passage = await passGates(message, before, deps);
  if (passage.refused) {
    if (passage.refused.why === 'gate') await fileWaiting(ticket, row, job, deps);
    await handleRefusal(message, passage.refused, deps);
    return drop(ticket, deps);
  }
  const delegatedTo = leaseFor(job, deps.clock.nowMs());
  const limitMs = leaseLimitMs({ heartbeatAtMs: deps.clock.nowMs(), delegatedTo });
  await deps.schedule.putEntries([await limitEntry(message, limitMs, deps)]);
  const detail = { queue: message.workQueue, offeredAtMs: ticket.offeredAtMs };
  const written = await claimPassed(message, { ...claimant, delegatedTo, detail }, passage, deps);
  if ('refusal' in written) {
    await handleRefusal(message, written.refusal, deps);
    return drop(ticket, deps);
  }
  return handOut(written.execution, ticket, deps);
}

const isOwnClaim = ({ status, claimId }: Execution, claimant: Claimant): boolean =>
  status === 'running' && claimId === claimant.claimId;

async function drop(ticket: WorkTicket, { work }: StageDeps): Promise<undefined> {
  await work.remove(ticket);
  return undefined;
}

/** The job by which a ticket's execution would be delivered; of a task, the task as a job, and its run. */
const jobBehind = async (
  message: Pick<Execution, 'jobKey' | 'execId'>,
  deps: StageDeps,
): ReturnType<StageDeps['workflows']['deliveredBy']> =>
  deps.workflows.deliveredBy(message, await deps.jobs.get(jobRefOf(message.jobKey)), deps);

function leaseFor(job: Job | undefined, nowMs: number): DelegatedLease {
  const heartbeatTimeout = (job && workerTargetOf(job)?.heartbeatTimeout) ?? WITHOUT_JOB.heartbeatTimeout;
  return {
    heartbeatWithinMs: parseDuration(heartbeatTimeout),
    endsAtMs: nowMs + parseDuration(job?.timeout ?? WITHOUT_JOB.timeout),
    toWorker: true,
  };
}

/**
 * An execution that waits at a gate has no ticket: the gate's release offers it again. Its entry is the net
 * for a release that is lost. One without a row gets the entry of its occurrence, any other that of its
 * attempt.
 */
export async function fileWaiting(
  { message }: Pick<WorkTicket, 'message'>,
  row: Execution | undefined,
  job: Job | undefined,
  deps: StageDeps,
): Promise<void> {
  if (row || isTaskExecution(message.execId))
    return deps.schedule.putEntries([await recheckEntryNow(message, deps)]);
  if (!job) return;
  const schedule = scheduleOf(job);
  const afterMs = message.dueAtMs - 1;
  const entry = entryAfter(job, schedule, {
    afterMs,
    runsBefore: runsThrough(job, schedule, afterMs),
    shard: shardOf(jobKeyOf(job), await deps.shardCount()),
    nowMs: deps.clock.nowMs(),
  });
  // By another schedule it is not the entry of this occurrence, whose own is filed at the end of its time.
  if (entry?.dueAtMs === message.dueAtMs) await deps.schedule.putEntries([{ ...entry, rechecks: 0 }]);
}

/** The lease of a worker, in the hands of the process that claimed for it. */
export const workerHandle = (lease: Lease): LeaseHandle => ({
  lease,
  isReport: true,
  cancelRequested: () => false,
  write: (write) => write(),
});

/**
 * What a claimed execution leads to, by its job as read after the claim. `undefined`: it has ended, or goes
 * elsewhere.
 */
async function handOut(
  execution: Execution,
  ticket: WorkTicket,
  deps: StageDeps,
): Promise<ClaimedWork | undefined> {
  const found = await workOf(execution, ticket.message.workQueue, deps);
  await deps.work.remove(ticket);
  return found;
}

/** Work that is claimed: also for a claim that is repeated. */
export async function workOf(
  execution: Execution,
  queue: string,
  deps: StageDeps,
): Promise<ClaimedWork | undefined> {
  const { jobKey, execId, fence, attempt } = execution;
  const lease: Lease = { jobKey, execId, claimId: execution.claimId!, fence, attempt };
  const handle = workerHandle(lease);
  // A calendar may have changed, and the job is not replanned yet.
  const job = await readOneJob(jobKey, deps, { today: [] });
  const run = isTaskExecution(execId)
    ? await deps.executions.get({ jobKey, execId: runOf(execId) })
    : undefined;
  const checked = await toDeliver({ execution, job, run }, deps);
  if (checked.to !== 'deliver') {
    await carryOut({ execution, job, handle }, checked, deps);
    return undefined;
  }
  if (workerTargetOf(checked.job)?.queue !== queue) {
    await returnUnbegun({ execution, handle, job: checked.job, run: checked.run }, 'moved', deps);
    return undefined;
  }
  if (openTargets(execution, checked.job).length === 0) {
    await settleAttempt({ execution, job: checked.job, handle, run: checked.run }, [], deps);
    return undefined;
  }
  const rendered = await renderChecked(checked.job, checked.of, checked.data);
  if ('job' in rendered) return { execution, lease, job: rendered.job, of: checked.of };
  const result = { outcome: 'fatal', reason: 'bad-input', error: rendered.fault } as const;
  const startedAtMs = execution.claimedAtMs ?? deps.clock.nowMs();
  await settleAttempt(
    { execution, job: checked.job, handle, run: checked.run },
    [{ target: 0, result, startedAtMs }],
    deps,
  );
  return undefined;
}

/** Seconds that a record of a claim is kept. */
export const claimRecordExpiry = (nowMs: number, keptMs: number): number =>
  Math.ceil((nowMs + keptMs) / SECOND_MS);
