import { isRun, type Execution, type Run } from '../../lambdas/core/domain/execution';
import type { Task, Workflow } from '../../lambdas/core/domain/workflow/definition';
import { derive, type TaskState } from '../../lambdas/core/domain/workflow/derive';
import { graphOf } from '../../lambdas/core/domain/workflow/graph';
import { reopened, type RetryMode } from '../../lambdas/core/domain/workflow/reopen';
import { taskExecId } from '../../lambdas/core/domain/workflow/task-id';
import type { LogRecord } from './log';
import { TASK_OPERATIONS } from './workload';

/** Whether a request makes sense for a task of a run that is not stopping. */
const MEANT: Record<keyof typeof TASK_OPERATIONS, (state: TaskState, task: Task) => boolean> = {
  'reopen-failed': (state) => state === 'failed' || state === 'cancelled',
  'reopen-ended': (state) => state === 'failed' || state === 'cancelled' || state === 'succeeded',
  'cancel-ready': (state, { approval }) => state === 'ready' && !approval,
  'skip-ready': (state) => state === 'ready',
  'approve-waiting': (state, { approval }) => state === 'ready' && approval !== undefined,
  'reject-waiting': (state, { approval }) => state === 'ready' && approval !== undefined,
};

/** Ids of the tasks of runs under way that a user may act on, as a list of the API would show them. */
export function tasksUnderWay(
  { action, body }: { action: keyof typeof TASK_OPERATIONS; body?: { mode?: RetryMode } },
  executions: readonly Execution[],
  records: readonly LogRecord[],
): string[] {
  const isMeant = MEANT[action];
  return executions.filter(isUnderWay).flatMap((execution) => {
    const workflow = workflowOf(execution, records);
    if (!workflow) return [];
    const graph = graphOf(workflow);
    const { states } = derive(graph, execution.run);
    const { execId: run } = execution;
    const mayReopen = (id: string): boolean => {
      const asked = { mode: body?.mode ?? 'failed', tasks: [id], skip: [] };
      return !('conflict' in reopened(graph, execution.run, asked, { nowMs: 0, hasEnded: false }));
    };
    return graph.tasks.flatMap(({ id, index, task }) =>
      isMeant(states[index]!, task) && (TASK_OPERATIONS[action] !== 'retryTask' || mayReopen(id))
        ? [taskExecId({ run, task: id, round: 1 })]
        : [],
    );
  });
}

const isUnderWay = (execution: Execution): execution is Run =>
  isRun(execution) &&
  execution.status === 'running' &&
  execution.claimId === undefined &&
  !execution.run.stop &&
  !execution.backfill;

function workflowOf({ jobKey, run }: Run, records: readonly LogRecord[]): Workflow | undefined {
  const saved = records.findLast(
    (record) =>
      record.src === 'table' &&
      record.type === 'flow' &&
      record.jobKey === jobKey &&
      record.version === run.version,
  );
  return saved && 'workflow' in saved ? saved.workflow : undefined;
}
