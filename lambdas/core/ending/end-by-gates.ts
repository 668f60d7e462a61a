import type { ExecutionMessage } from '../contracts/messages';
import { Metric } from '../contracts/metrics';
import type { StageDeps } from '../deps';
import type { GateEnd } from '../domain/admission';
import { isPlanned } from '../domain/execution';
import { concurrencyKeyOf } from '../domain/job';
import { isPutOff } from '../domain/work';
import { skippedRangeOver } from '../history/coverage';
import { readOneJob } from '../store/read-whole';
import { cancelRunning } from './cancel-running';
import { endExecution } from './end-execution';
import { recordSkippedOccurrence } from './skip-ranges';

/** An execution may be claimed, or may wait again, while it is read. */
const TRIES = 3;

/** Names what the executions of one job have in common. */
type OfJob = Pick<ExecutionMessage, 'execId' | 'trigger' | 'orderingKey' | 'concurrencyKey' | 'revision'>;

/**
 * Ends the executions that a gate wants to end: each waits, has no row yet, or runs and is to be cancelled.
 * A row of its own each, since the next occurrence may run. Another message of the same execution finds it.
 */
export async function endByGates(ends: readonly GateEnd[], message: OfJob, deps: StageDeps): Promise<void> {
  for (const end of ends) {
    for (let tries = 0; tries < TRIES; tries++) if (await endByGate(end, message, deps)) break;
  }
}

/** @returns false if the execution has changed meanwhile */
async function endByGate(
  { jobKey, execId, dueAtMs, status, reason, heldBy, evenIfRunning }: GateEnd,
  message: OfJob,
  deps: StageDeps,
): Promise<boolean> {
  const detail = { heldBy };
  const row = await deps.executions.get({ jobKey, execId });
  if (row && isPutOff(row, deps.clock.nowMs())) return true; // it waits at no gate any more
  if (row?.status === 'queued' || row?.status === 'retrying') {
    const job = await readOneJob(jobKey, deps);
    const precondition = { kind: 'waiting' } as const;
    const end = { status, reason, detail } as const;
    return (await endExecution({ execution: row, end, precondition, job, by: 'other' }, deps)) !== undefined;
  }
  if (row?.status === 'running' && evenIfRunning && !row.cancelRequested)
    return (await cancelRunning(row, { reason }, deps)) !== undefined;
  if (row || (await skippedRangeOver({ jobKey, dueAtMs }, deps))) return true;
  const { orderingKey } = message;
  const concurrencyKey = await keyOfPlanned(jobKey, message, deps);
  const revision = execId === message.execId ? message.revision : undefined;
  const occurrence = { jobKey, dueAtMs, orderingKey, concurrencyKey, revision, detail };
  const recorded = await recordSkippedOccurrence(occurrence, reason, 'other', deps);
  if (recorded) deps.meter.count(Metric.skipped);
  return recorded;
}

/** What has no row was planned: its payload is that of its job. A run that skips it may have another. */
async function keyOfPlanned(
  jobKey: string,
  { trigger, concurrencyKey }: OfJob,
  deps: StageDeps,
): Promise<string | undefined> {
  if (concurrencyKey === undefined || isPlanned(trigger)) return concurrencyKey;
  const job = await readOneJob(jobKey, deps);
  return job ? concurrencyKeyOf(job) : concurrencyKey;
}
