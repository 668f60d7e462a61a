import type { Execution } from '../../lambdas/core/domain/execution';
import type { Workflow } from '../../lambdas/core/domain/workflow/definition';
import { runOf } from '../../lambdas/core/domain/workflow/task-id';
import {
  type Call,
  type ExecutionState,
  groupBy,
  idOf,
  isTask,
  type Request,
  type Story,
  userOf,
} from './story';

/**
 * An index of a part of a story. It is made when it is first asked for, and kept as long as that part. A
 * check that scans all calls for each execution would take the square of their number.
 */
export const indexed = <Of extends object, Index>(make: (of: Of) => Index): ((of: Of) => Index) => {
  const known = new WeakMap<Of, { index: Index }>();
  return (of) => {
    const kept = known.get(of) ?? { index: make(of) };
    known.set(of, kept);
    return kept.index;
  };
};

const callsById = indexed((calls: Story['calls']) => groupBy(calls, idOf));
const callsByRun = indexed((calls: Story['calls']) =>
  groupBy(calls, ({ jobKey, execId }) => idOf({ jobKey, execId: runOf(execId) })),
);

/** The calls of an execution, in order. */
export const callsOf = ({ calls }: Pick<Story, 'calls'>, id: string): readonly Call[] =>
  callsById(calls).get(id) ?? [];

/** The calls of an execution and of its tasks, in order. */
export const callsOfRun = ({ calls }: Pick<Story, 'calls'>, id: string): readonly Call[] =>
  callsByRun(calls).get(id) ?? [];

const rowsByJob = indexed((rows: readonly Execution[]) =>
  groupBy(
    rows.filter(({ execId }) => !isTask(execId)),
    ({ jobKey }) => jobKey,
  ),
);
const rowById = indexed((rows: readonly Execution[]) => new Map(rows.map((row) => [idOf(row), row])));

/** The executions of a job that are left at the end, without those of tasks. */
export const rowsOf = ({ end }: Pick<Story, 'end'>, jobKey: string): readonly Execution[] =>
  rowsByJob(end.executions).get(jobKey) ?? [];

/** An execution as it is left at the end. */
export const rowOf = ({ end }: Pick<Story, 'end'>, id: string): Execution | undefined =>
  rowById(end.executions).get(id);

const tasksByRun = indexed((states: Story['states']) =>
  groupBy(
    [...states].filter(([, [first]]) => isTask(first!.execution.execId)),
    ([, [first]]) => idOf({ jobKey: first!.execution.jobKey, execId: runOf(first!.execution.execId) }),
  ),
);

/** The tasks and items of a run that have rows: the id of each, and its states. */
export const tasksOf = (
  { states }: Pick<Story, 'states'>,
  runId: string,
): readonly (readonly [string, readonly ExecutionState[]])[] => tasksByRun(states).get(runId) ?? [];

const requestsByOperation = indexed((requests: Story['requests']) =>
  groupBy(requests, ({ operation }) => operation),
);

/** The requests of an operation, in order. */
export const requestsFor = (
  { requests }: Pick<Story, 'requests'>,
  operation: Request['operation'],
): readonly Request[] => requestsByOperation(requests).get(operation) ?? [];

/** Actions of a bulk, by the operations that do the same to one job or execution. */
const IN_BULKS = { runJob: 'run', retryExecution: 'retry', cancelExecution: 'cancel' } as const;

/** Whether an execution, or a run of a job, was asked for: by itself, or by a bulk about jobs of its user. */
export const askedFor = (
  story: Pick<Story, 'requests'>,
  operation: keyof typeof IN_BULKS,
  { jobKey, execId }: { jobKey: string; execId?: string },
): readonly Request[] => [
  ...requestsFor(story, operation).filter(
    (one) => one.jobKey === jobKey && (execId === undefined || one.execId === execId),
  ),
  ...requestsFor(story, 'bulk').filter(
    (one) => userOf(one.jobKey) === userOf(jobKey) && one.body?.action === IN_BULKS[operation],
  ),
];

/** All saved versions of workflows, by `jobKey#version`. */
const flows = indexed(
  (records: Story['records']): ReadonlyMap<string, Workflow> =>
    new Map(
      records.flatMap((record) =>
        record.src === 'table' && record.type === 'flow'
          ? [[`${record.jobKey}#${record.version}`, record.workflow] as const]
          : [],
      ),
    ),
);
export const flowsOf = ({ records }: Pick<Story, 'records'>): ReadonlyMap<string, Workflow> => flows(records);
