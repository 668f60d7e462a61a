import { instantText } from '../../core/clock/clock';
import { jobRefOf } from '../../core/contracts/tables';
import {
  spanOfAttempt,
  spanOfExecution,
  spanOfWait,
  type Trace,
  traceOfExecution,
} from '../../core/delivery/trace-ids';
import { ageSinceMs, type AttemptRecord, type Execution, isPlanned } from '../../core/domain/execution';
import type { EndSeen } from '../../core/domain/journal-end';
import { type Job, targetsOf } from '../../core/domain/job';
import type { Target } from '../../core/domain/target';
import { taskExecId, type TaskRef, taskRefOf } from '../../core/domain/workflow/task-id';
import type { ExecutionRef } from '../../core/store/execution-store';
import {
  otlpAttributes,
  type AttributeValue,
  FAILED_STATUS,
  flagsOf,
  nanosOf,
  type OtlpLink,
  type OtlpSpan,
  SpanKind,
} from '../../core/telemetry/otlp';
import { callSpanOf, errorTypeOf, hasFailed } from './call-span';
import { attemptsOfLife } from './seen-life';
import { causeRefOf, runRefOf, type SpanContext } from './span-context';

/**
 * The trace of an execution that has ended, as its row was then: it may be retried, in another trace, before
 * its end is followed. A task has the trace of its run.
 */
export const traceIn = (ended: Execution, context: SpanContext): Trace =>
  taskRefOf(ended.execId)
    ? traceOfOther(runRefOf(ended), context)
    : traceOfExecution(ended, context.secret, context.sampling);

const traceOfOther = (ref: ExecutionRef, { executionOf, secret, sampling }: SpanContext): Trace =>
  traceOfExecution(executionOf(ref) ?? ref, secret, sampling);

/** The spans of an execution that has ended: itself, its wait, and its attempts since the last user retry. */
export function spansOfExecution(ended: EndSeen, context: SpanContext): OtlpSpan[] {
  const trace = traceIn(ended, context);
  const own = ownSpanOf(ended, trace, context);
  const attempts = attemptsOfLife(ended).map((record) => attemptSpanOf(ended, record, trace, context));
  return [...waitSpanOf(ended, trace, context), ...attempts, own];
}

function ownSpanOf(ended: EndSeen, trace: Trace, context: SpanContext): OtlpSpan {
  const task = taskRefOf(ended.execId);
  const parentSpanId = parentOf(ended, task, context);
  const endMs = ended.finishedAtMs ?? beginOf(ended);
  const links = linksOf(ended, context);
  const failed = ended.status === 'failed';
  return {
    traceId: trace.traceId,
    spanId: spanOfExecution(ended, context.secret),
    ...(parentSpanId !== undefined && { parentSpanId }),
    ...(trace.state !== undefined && { traceState: trace.state }),
    flags: flagsOf(trace.flags, trace.joined && !task ? 'remote' : 'local'),
    name: task ? `${task.item === undefined ? 'task' : 'item'} ${task.task}` : `execute ${jobIdOf(ended)}`,
    kind: SpanKind.internal,
    startTimeUnixNano: nanosOf(Math.min(beginOf(ended), endMs)),
    endTimeUnixNano: nanosOf(endMs),
    attributes: otlpAttributes(ownAttributesOf(ended, task)),
    ...(links.length > 0 && { links }),
    ...(failed && { status: FAILED_STATUS }),
  };
}

const jobIdOf = ({ jobKey }: ExecutionRef): string => jobRefOf(jobKey).jobId;

/** A task's parent is its run, and an item's is its task. What joins a trace has a span of its request. */
function parentOf(ended: EndSeen, task: TaskRef | undefined, context: SpanContext): string | undefined {
  if (!task) return ended.trace?.parent;
  if (task.item === undefined)
    return spanOfExecution(context.executionOf(runRefOf(ended)) ?? runRefOf(ended), context.secret);
  const { item: _, ...head } = task;
  return spanOfExecution({ jobKey: ended.jobKey, execId: taskExecId(head) }, context.secret);
}

/** When this life began to count: its due time, or its first attempt after a retry by a user. */
function beginOf(ended: EndSeen): number {
  const [first] = attemptsOfLife(ended);
  if (ended.userRetries !== undefined)
    return ended.run?.reopenedAtMs ?? first?.startedAtMs ?? ended.finishedAtMs ?? ended.dueAtMs;
  const startedAtMs = ended.startedAtMs ?? ended.dueAtMs;
  return taskRefOf(ended.execId) ? startedAtMs : Math.min(ageSinceMs(ended), startedAtMs);
}

function ownAttributesOf(ended: EndSeen, task: TaskRef | undefined): Record<string, AttributeValue> {
  const { userId: project, jobId } = jobRefOf(ended.jobKey);
  const { items, cause } = ended;
  const last = attemptsOfLife(ended).findLast(hasFailed);
  const failure = (last && errorTypeOf(last)) ?? ended.reason ?? 'failed';
  return {
    'quarterjack.project': project,
    'quarterjack.job': jobId,
    'quarterjack.execution': runRefOf(ended).execId,
    'quarterjack.task': task?.task,
    'quarterjack.task.round': task && task.round > 1 ? task.round : undefined,
    'quarterjack.item': task?.item,
    'quarterjack.trigger': ended.trigger,
    'quarterjack.status': ended.status,
    'quarterjack.reason': ended.reason,
    'quarterjack.due': task ? undefined : instantText(ended.dueAtMs),
    'quarterjack.lateness_ms': task || ended.userRetries !== undefined ? undefined : ended.latenessMs,
    'quarterjack.user_retries': ended.userRetries,
    'quarterjack.event': cause?.type === 'event' ? cause.name : undefined,
    'quarterjack.items': items?.count,
    'quarterjack.items.failed': items?.failed,
    'error.type': ended.status === 'failed' ? failure : undefined,
  };
}

/** A trace of its own is linked to its cause: a task, another job, or the request that planned it. */
function linksOf(ended: EndSeen, context: SpanContext): OtlpLink[] {
  if (taskRefOf(ended.execId)) return [];
  const links: OtlpLink[] = [];
  const ref = causeRefOf(ended);
  if (ref) {
    const { traceId, flags } = traceOfOther(ref, context);
    const linked = { flags: flagsOf(flags, 'local'), traceId, spanId: causeSpanOf(ended, ref, context) };
    links.push({ ...linked, attributes: otlpAttributes({ 'quarterjack.link': 'cause' }) });
  }
  const asked = context.jobOf(ended.jobKey)?.trace;
  if (asked && !ended.trace && isPlanned(ended.trigger)) {
    const linked = { traceId: asked.id, spanId: asked.parent, flags: flagsOf(asked.flags, 'remote') };
    links.push({ ...linked, attributes: otlpAttributes({ 'quarterjack.link': 'change' }) });
  }
  return links;
}

function causeSpanOf({ parent, cause }: EndSeen, ref: ExecutionRef, { secret }: SpanContext): string {
  if (parent) {
    const { execId: run, task, round } = parent;
    return spanOfExecution({ jobKey: ref.jobKey, execId: taskExecId({ run, task, round }) }, secret);
  }
  const userRetries = cause?.type === 'after' ? (cause.userRetries ?? 0) : 0;
  return spanOfExecution({ ...ref, userRetries }, secret);
}

/** What an execution held of gates when it was claimed. */
const gatesOf = ({ orderingKey, occupiesJob, concurrencyKey }: EndSeen): string[] => [
  ...(orderingKey === undefined ? [] : ['ordering-key']),
  ...(occupiesJob ? ['overlap'] : []),
  ...(concurrencyKey === undefined ? [] : ['concurrency-key']),
];

/** From its due time to its first attempt, if that was later. */
function waitSpanOf(ended: EndSeen, trace: Trace, { secret }: SpanContext): OtlpSpan[] {
  const { startedAtMs = 0, userRetries, execId } = ended;
  const sinceMs = ageSinceMs(ended);
  if (taskRefOf(execId) || userRetries !== undefined || startedAtMs <= sinceMs) return [];
  const gates = gatesOf(ended);
  return [
    {
      traceId: trace.traceId,
      spanId: spanOfWait(ended, secret),
      parentSpanId: spanOfExecution(ended, secret),
      ...(trace.state !== undefined && { traceState: trace.state }),
      flags: flagsOf(trace.flags, 'local'),
      name: 'wait',
      kind: SpanKind.internal,
      startTimeUnixNano: nanosOf(sinceMs),
      endTimeUnixNano: nanosOf(startedAtMs),
      attributes: otlpAttributes({
        'quarterjack.job': jobIdOf(ended),
        'quarterjack.gates': gates.length > 0 ? gates : undefined,
      }),
    },
  ];
}

function attemptSpanOf(ended: EndSeen, record: AttemptRecord, trace: Trace, context: SpanContext): OtlpSpan {
  const { name, kind, attributes } = callSpanOf(targetOf(ended, record, context), record);
  const failed = hasFailed(record);
  const { fence, target, startedAtMs, finishedAtMs } = record;
  return {
    traceId: trace.traceId,
    spanId: spanOfAttempt({ ...ended, fence }, target, context.secret),
    parentSpanId: spanOfExecution(ended, context.secret),
    ...(trace.state !== undefined && { traceState: trace.state }),
    flags: flagsOf(trace.flags, 'local'),
    name,
    kind,
    startTimeUnixNano: nanosOf(startedAtMs),
    endTimeUnixNano: nanosOf(Math.max(startedAtMs, finishedAtMs)),
    attributes: otlpAttributes(attributes),
    ...(failed && { status: FAILED_STATUS }),
  };
}

/** By the version of a task's run, and else by the job as it is now. */
function targetOf(ended: EndSeen, { target }: AttemptRecord, context: SpanContext): Target | undefined {
  const task = taskRefOf(ended.execId);
  if (!task) return targetsIn(context.jobOf(ended.jobKey))[target];
  const graph = context.graphOf(runRefOf(ended));
  const index = graph?.indexOf.get(task.task);
  return index === undefined ? undefined : targetsIn(graph!.tasks[index]!.task)[target];
}

const targetsIn = (of: Pick<Job, 'target' | 'targets'> | undefined): readonly Target[] =>
  of ? targetsOf(of) : [];
