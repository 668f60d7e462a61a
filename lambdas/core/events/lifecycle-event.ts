import type {
  EventTask,
  LifecycleChoice,
  LifecycleDetail,
  LifecycleType,
  RunOutcome,
  WaitingDetail,
} from '../contracts/events';
import { jobRefOf } from '../contracts/tables';
import type { Execution } from '../domain/execution';
import type { Reason } from '../domain/reason';
import type { TerminalStatus } from '../domain/transitions';
import { isItemExecution, isTaskExecution, type TaskRef, taskRefOf } from '../domain/workflow/task-id';
import type { Waiting } from '../store/waiting-store';

export interface LifecycleEvent<Detail = LifecycleDetail | WaitingDetail> {
  type: LifecycleType;
  atMs: number;
  detail: Detail;
}

/** An ended execution, as the stage that ended it knows it. */
export interface Ended {
  jobKey: string;
  execId: string;
  dueAtMs: number;
  status: TerminalStatus;
  reason?: Reason;
  finishedAtMs: number;
  fence: number;
  skipped?: Execution['skipped'];
  workflow?: RunOutcome;
  parent?: Execution['parent'];
}

/** Reasons of skipped executions that count as failures: no user requested them. */
const SKIPPED_BY_FAULT: ReadonlySet<Reason> = new Set(['misfire', 'overlap', 'live-runs']);
const EXHAUSTED: ReadonlySet<Reason> = new Set(['attempts-exhausted', 'max-age', 'crashed', 'unknown-job']);

const TYPES: Record<TerminalStatus, LifecycleType> = {
  succeeded: 'execution.completed',
  failed: 'execution.failed',
  skipped: 'execution.skipped',
  cancelled: 'execution.cancelled',
};

/** What became of a task otherwise, the end of its run tells. */
const TASK_TYPES: Partial<Record<TerminalStatus, LifecycleType>> = {
  succeeded: 'task.completed',
  failed: 'task.failed',
};

/** The event of an end. Undefined if `choice` leaves it out, or if the end of its run tells of it. */
export function lifecycleEvent(
  ended: Ended,
  choice: LifecycleChoice,
): LifecycleEvent<LifecycleDetail> | undefined {
  const { status, reason } = ended;
  const isFailure =
    status === 'failed' || (status === 'skipped' && reason !== undefined && SKIPPED_BY_FAULT.has(reason));
  // The end of its fan-out tells of an item.
  if (isItemExecution(ended.execId)) return undefined;
  if (choice === 'off' || (choice === 'failures' && !isFailure)) return undefined;
  const isExhausted = status === 'failed' && reason !== undefined && EXHAUSTED.has(reason);
  const ofExecution = isExhausted ? 'execution.exhausted' : TYPES[status];
  const type = isTaskExecution(ended.execId) ? TASK_TYPES[status] : ofExecution;
  return type && { type, atMs: ended.finishedAtMs, detail: detailOf(ended) };
}

/** The event of an approval that has become due. */
export function waitingEvent({
  jobKey,
  execId,
  sinceMs,
  untilMs,
}: Pick<Waiting, 'jobKey' | 'execId' | 'sinceMs' | 'untilMs'>): LifecycleEvent<WaitingDetail> {
  const ref = taskRefOf(execId);
  if (!ref) throw new Error(`not the id of a task: ${execId}`);
  const detail: WaitingDetail = {
    version: 1,
    id: [jobKey, execId, 'waiting'].join('#'),
    ...jobRefOf(jobKey),
    execId: ref.run,
    task: taskOf(ref),
    since: text(sinceMs),
    until: untilMs === undefined ? null : text(untilMs),
  };
  return { type: 'task.waiting', atMs: sinceMs, detail };
}

const text = (ms: number): string => new Date(ms).toISOString();
const taskOf = ({ task, round }: TaskRef): EventTask => ({ taskId: task, round });

function detailOf(ended: Ended): LifecycleDetail {
  const { jobKey, execId, dueAtMs, status, reason, finishedAtMs, fence, skipped, workflow, parent } = ended;
  const ref = taskRefOf(execId);
  return {
    version: 1,
    // A user retry ends under a higher fence, so its end has another id.
    id: [jobKey, execId, status, fence].join('#'),
    ...jobRefOf(jobKey),
    execId: ref?.run ?? execId,
    status,
    reason: reason ?? null,
    dueAt: text(dueAtMs),
    finishedAt: text(finishedAtMs),
    fence,
    skipped:
      skipped && skipped.count > 1
        ? { from: text(skipped.fromMs), to: text(skipped.toMs), count: skipped.count }
        : null,
    ...(workflow && { workflow }),
    ...(ref && { task: taskOf(ref) }),
    ...(parent && {
      parent: { jobId: jobRefOf(parent.jobKey).jobId, execId: parent.execId, taskId: parent.task },
    }),
  };
}
