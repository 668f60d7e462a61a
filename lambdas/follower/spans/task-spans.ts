import { SECOND_MS } from '../../core/clock/clock';
import { jobRefOf } from '../../core/contracts/tables';
import { spanOfExecution } from '../../core/delivery/trace-ids';
import { isRun, type Run } from '../../core/domain/execution';
import type { EndSeen } from '../../core/domain/journal-end';
import { isInline, isSent } from '../../core/domain/workflow/definition';
import { indexOfKey, roundOf, statusOfMark, timeOfMark } from '../../core/domain/workflow/marks';
import { readySinceMs } from '../../core/domain/workflow/progress';
import { taskExecId } from '../../core/domain/workflow/task-id';
import {
  otlpAttributes,
  FAILED_STATUS,
  flagsOf,
  nanosOf,
  type OtlpSpan,
  SpanKind,
} from '../../core/telemetry/otlp';
import { traceIn } from './execution-spans';
import type { SpanContext } from './span-context';

/**
 * Tasks that take time and have no execution of their own: children, approvals and awaits. The marks of their
 * run say when they were ready and when they ended, to the second. All other tasks have a row, or take none.
 */
export function spansOfTasks(ended: EndSeen, context: SpanContext): OtlpSpan[] {
  if (!isRun(ended)) return [];
  const run: Run = ended;
  const graph = context.graphOf(run);
  if (!graph) return [];
  const { reopenedAtMs = 0 } = run.run;
  return Object.entries(run.run.marks).flatMap(([key, mark]) => {
    const index = indexOfKey(key);
    const { id, task } = graph.tasks[index]!;
    const endMs = timeOfMark(mark, run.run);
    // What had ended before the last retry of the run has a span already.
    if (isSent(task) || isInline(task) || endMs + SECOND_MS <= reopenedAtMs) return [];
    const beginMs = Math.min(readySinceMs({ run: run.run, graph }, index), endMs);
    const round = roundOf(run.run, index);
    return [spanOf(run, { id, round, job: task.job, status: statusOfMark(mark), beginMs, endMs }, context)];
  });
}

interface MarkedTask {
  id: string;
  round: number;
  /** The job whose execution it has started, if it has. */
  job: string | undefined;
  status: ReturnType<typeof statusOfMark>;
  beginMs: number;
  endMs: number;
}

function spanOf(
  run: Run,
  { id, round, job, status, beginMs, endMs }: MarkedTask,
  context: SpanContext,
): OtlpSpan {
  const { userId: project, jobId } = jobRefOf(run.jobKey);
  const trace = traceIn(run, context);
  const task = { jobKey: run.jobKey, execId: taskExecId({ run: run.execId, task: id, round }) };
  const failed = status === 'failed';
  return {
    traceId: trace.traceId,
    spanId: spanOfExecution(task, context.secret),
    parentSpanId: spanOfExecution(run, context.secret),
    ...(trace.state !== undefined && { traceState: trace.state }),
    flags: flagsOf(trace.flags, 'local'),
    name: `task ${id}`,
    kind: SpanKind.internal,
    startTimeUnixNano: nanosOf(beginMs),
    endTimeUnixNano: nanosOf(endMs),
    attributes: otlpAttributes({
      'quarterjack.project': project,
      'quarterjack.job': jobId,
      'quarterjack.execution': run.execId,
      'quarterjack.task': id,
      'quarterjack.task.round': round > 1 ? round : undefined,
      'quarterjack.child': job,
      'quarterjack.status': status,
      'error.type': failed ? 'task-failed' : undefined,
    }),
    ...(failed && { status: FAILED_STATUS }),
  };
}
