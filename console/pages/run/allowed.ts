import { type Execution, isTerminal, type TaskState } from '../../../client/browser';
import type { ShownTask } from '../../editor/workflow-boxes';

/** What the API offers for a retry of one task. */
export type TaskRetryMode = 'failed' | 'from' | 'only';

/** What can be done to a task now. The API decides; this says which buttons are of use. */
export interface Allowed {
  decide: boolean;
  cancel: boolean;
  skip: boolean;
  /** Empty: the task cannot run again. */
  retry: readonly TaskRetryMode[];
}

/** Whether a task waits until a user approves or rejects it. */
export const awaitsApproval = ({ kind, status }: Pick<TaskState, 'kind' | 'status'>): boolean =>
  kind === 'approval' && status === 'queued';

const CANCELLABLE: readonly string[] = ['queued', 'retrying', 'running'];
const NOT_BEGUN: readonly string[] = ['waiting', 'queued', 'retrying'];
const FAILED: readonly string[] = ['failed', 'cancelled'];

interface Facts {
  execution: Pick<Execution, 'status' | 'workflow'>;
  task: Pick<TaskState, 'kind' | 'status'>;
  /** Whether a task of the run is an approval: to pass one needs the right to give it. */
  hasApproval: boolean;
  can(scope: 'runs:operate' | 'runs:approve'): boolean;
}

export function allowedFor({ execution, task, hasApproval, can }: Facts): Allowed {
  const hasEnded = isTerminal(execution);
  const isStopping = Boolean(execution.workflow?.stopping) && !hasEnded;
  const mayOperate = can('runs:operate');
  const mayPass = can('runs:approve');
  const isApproval = task.kind === 'approval';
  const mayRetry = mayOperate && !isStopping;
  return {
    decide: awaitsApproval(task) && mayPass && !hasEnded && !isStopping,
    cancel: mayOperate && !hasEnded && CANCELLABLE.includes(task.status),
    skip:
      mayOperate && !hasEnded && !isStopping && NOT_BEGUN.includes(task.status) && (!isApproval || mayPass),
    retry: [
      ...(mayRetry && FAILED.includes(task.status) ? (['failed'] as const) : []),
      ...(mayRetry && [...FAILED, 'succeeded', 'skipped'].includes(task.status) && (mayPass || !hasApproval)
        ? (['from', 'only'] as const)
        : []),
    ],
  };
}

/** The branches of a switch, in its order; empty for any other task. */
export function branchesOf({ switch: chosen }: ShownTask): string[] {
  const { cases = [], default: last } = (chosen ?? {}) as {
    cases?: readonly { branch: string }[];
    default?: string;
  };
  return [...new Set([...cases.map(({ branch }) => branch), ...(last === undefined ? [] : [last])])];
}
