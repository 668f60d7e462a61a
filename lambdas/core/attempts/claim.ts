import { allEnded } from '../async/all-ended';
import type { ExecutionMessage } from '../contracts/messages';
import { Metric } from '../contracts/metrics';
import type { StageDeps } from '../deps';
import { type Execution, isPlanned } from '../domain/execution';
import type { Reason } from '../domain/reason';
import type { SendLane } from '../domain/send-lane';
import type { Job } from '../domain/job';
import { firstFenceOf } from '../domain/workflow/marks';
import { taskRefOf } from '../domain/workflow/task-id';
import { oldestClaimedMs } from '../domain/timing';
import { workFieldsIn } from '../domain/work';
import type { GateEnd } from '../domain/admission';
import type { ClaimRequest, Lease } from '../store/execution-store';
import type { HeldWrite } from '../store/write-options';
import { keepLease, type KeptLease } from './keep-lease';
import { lateClaim } from './late-claim';

/** A claimed execution, and its lease. */
export interface Claimed {
  execution: Execution;
  handle: KeptLease;
}

/**
 * Why an execution was not claimed. `outlived`: it is older than retention. `covered`: its occurrence is on
 * record as skipped. `late`: it came late, and its job would not run it now. `gate`: it waits, or its gates
 * ended executions.
 * `lost`: another process has claimed or ended it; `current` is its row, if known.
 */
export type Refusal =
  | { why: 'outlived' }
  | { why: 'covered' }
  | { why: 'late'; reason: Reason; job: Job | undefined }
  | { why: 'gate'; isOver: boolean; toEnd: readonly GateEnd[] }
  | { why: 'lost'; current?: Execution };

export type ClaimAnswer = { claimed: Claimed } | { refusal: Refusal };

/** The instant at which a claim leaves that is made before it. */
export interface AtInstant extends HeldWrite {
  nowMs: number;
}

/**
 * Claims the execution that a message asks for: first its gates, then one conditional write. What follows a
 * refusal is done by `handleRefusal`.
 *
 * @param jobBefore the job as read before the claim; only for late messages (`isLate`)
 * @param as what the claim says besides
 * @param at only for messages that no gate concerns. Absent: the claim leaves at once
 */
export async function claimExecution(
  message: ExecutionMessage,
  jobBefore: Promise<Job | undefined> | undefined,
  deps: StageDeps,
  as: Pick<ClaimRequest, 'openErrand'> = {},
  at?: AtInstant,
): Promise<ClaimAnswer> {
  const passage = await passGates(message, jobBefore, deps);
  if (passage.refused) return { refusal: passage.refused };
  const sentAtMonotonicMs = deps.clock.monotonicMs();
  const written = await claimPassed(message, { claimId: deps.random.id(), ...as }, passage, deps, at);
  if ('refusal' in written) return written;
  const { execution, lease } = written;
  if (execution.fence === 1 && message.trigger === 'schedule')
    deps.meter.record(Metric.latenessMs, execution.claimedAtMs! - message.dueAtMs, message);
  return { claimed: { execution, handle: keepLease(lease, sentAtMonotonicMs, deps) } };
}

/** Whether an execution may be claimed; `meanwhile` is to be done beside its claim. */
export interface Passage {
  refused?: Refusal;
  meanwhile?: (() => Promise<void>) | undefined;
}

/**
 * Why an execution may not be claimed. It is too old, it comes late and its job would not run it, or a gate
 * is closed. Undefined: the claim itself decides.
 */
export async function passGates(
  message: ExecutionMessage,
  jobBefore: Promise<Job | undefined> | undefined,
  deps: StageDeps,
): Promise<Passage> {
  if (mayBeNew(message) && message.dueAtMs < oldestClaimedMs(deps.clock.nowMs(), deps.retentionDays))
    return { refused: { why: 'outlived' } };
  const late = jobBefore && (await lateClaim(message, await jobBefore, deps));
  if (late) return { refused: late };
  const { decision, toEnd, meanwhile } = await deps.gates.admit(message, deps);
  if (decision !== 'go') return { refused: { why: 'gate', isOver: decision === 'skip', toEnd } };
  return { meanwhile };
}

/** What waits is woken by its recheck, too. */
async function done(work: () => Promise<void>, { jobKey, execId }: ExecutionMessage, { log }: StageDeps) {
  try {
    await work();
  } catch (error) {
    log.error('those that wait for a start are left to their rechecks', error, { jobKey, execId });
  }
}

/**
 * Whether the claim may make a row. Every other claim asks for a row that waits, so it cannot repeat an
 * execution whose row TTL has removed. Refusing it would leave that row waiting for ever.
 */
const mayBeNew = ({ attempt, trigger, userRetries }: ExecutionMessage): boolean =>
  attempt === 1 && isPlanned(trigger) && userRetries === undefined;

/** What the holder of the lease adds to its claim. */
export type ClaimedAs = Pick<ClaimRequest, 'claimId' | 'delegatedTo' | 'worker' | 'detail' | 'openErrand'>;

/** The claim of an execution that has passed its gates. */
export async function claimPassed(
  message: ExecutionMessage,
  as: ClaimedAs,
  { meanwhile }: Passage,
  deps: StageDeps,
  at?: AtInstant,
): ReturnType<typeof writeClaim> {
  const [answer] = await allEnded([
    writeClaim(message, as, deps, at),
    meanwhile && done(meanwhile, message, deps),
  ]);
  return answer;
}

/** The claim itself: one conditional write. */
async function writeClaim(
  message: ExecutionMessage,
  as: ClaimedAs,
  deps: StageDeps,
  at: AtInstant | undefined,
): Promise<{ execution: Execution; lease: Lease } | { refusal: Refusal }> {
  const { jobKey, execId, trigger, dueAtMs, attempt, overlap, userRetries, revision } = message;
  const isTask = trigger === 'task';
  const request: ClaimRequest = {
    jobKey,
    execId,
    trigger,
    dueAtMs,
    askedAtMs: message.askedAtMs,
    attempt,
    ...as,
    nowMs: at?.nowMs ?? deps.clock.nowMs(),
    orderingKey: message.orderingKey,
    concurrencyKey: message.concurrencyKey,
    occupiesJob: overlap ? true : undefined,
    userRetries,
    timesMoved: message.timesMoved,
    revision: revision || undefined,
    trace: message.trace,
    ...(isTask && {
      lane: laneKeptOf(message),
      runEndsAtMs: message.runEndsAtMs,
      fenceBase: fenceBaseOf(execId),
    }),
  };
  const result = await deps.executions.claim(request, at);
  if (result.outcome === 'refused') return { refusal: { why: 'lost', current: result.current } };
  const { execution } = result;
  deps.meter.count(Metric.claimed, 1, message);
  if (isTask) countTask(execution, deps);
  return { execution, lease: { jobKey, execId, claimId: as.claimId, fence: execution.fence, attempt } };
}

/** What the row of a task keeps of its message. */
export const laneKeptOf = ({ priority, pool, longCall, ...message }: ExecutionMessage): SendLane => ({
  priority,
  pool,
  ...(longCall && { longCall }),
  ...workFieldsIn(message),
});

export const fenceBaseOf = (execId: string): number => firstFenceOf(taskRefOf(execId)?.round ?? 1);

function countTask({ execId, fence, dueAtMs, claimedAtMs = dueAtMs }: Execution, { meter }: StageDeps): void {
  if (fence > fenceBaseOf(execId) + 1) return;
  meter.count(Metric.tasksStarted);
  meter.record(Metric.taskLatenessMs, Math.max(0, claimedAtMs - dueAtMs));
}
