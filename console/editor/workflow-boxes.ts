import type { Workflow, WorkflowVersion } from '../../client/browser';
import type { GraphBox } from '../draw/graph-layout';

/** A workflow as a user wrote it, or as the API returns it. */
export type ShownWorkflow = Workflow | NonNullable<WorkflowVersion['workflow']>;
export type ShownTask = ShownWorkflow['tasks'][string];

/** What has targets: one, several or none. */
interface OneOrMore {
  target?: unknown;
  targets?: readonly unknown[] | undefined;
}
/** The fields differ: some targets may be the only one alone. */
type TargetOf<Holder extends OneOrMore> =
  | NonNullable<Holder['target']>
  | NonNullable<Holder['targets']>[number];

export const targetsOf = <Holder extends OneOrMore>({
  target,
  targets,
}: Holder): readonly TargetOf<Holder>[] =>
  (targets ?? (target ? [target] : [])) as readonly TargetOf<Holder>[];

/** Whether what is called writes a log: workers do, and targets that report later may. */
export const logsItself = (target: { type: string; mode?: string | undefined }): boolean =>
  target.type === 'worker' || target.mode === 'async';

/** What a task does in place of a call: `it …`. */
export function workWithoutTarget(task: ShownTask): string {
  if (task.approval) return 'asks for approval';
  if (task.await) return `waits for ${task.await.job}`;
  if (task.job !== undefined) return `starts ${task.job}`;
  if (task.switch) return 'chooses a branch';
  return task.delay !== undefined || task.notBefore !== undefined ? 'waits' : 'joins';
}

/** What a task does, for a box of the graph: the host or the kind of what it calls. */
function taskText(task: ShownTask): string {
  const [first, ...more] = targetsOf(task);
  if (!first) return workWithoutTarget(task);
  const text = first.type === 'http' && URL.canParse(first.url) ? new URL(first.url).host : first.type;
  return more.length > 0 ? `${text} and ${more.length} more` : text;
}

/** The boxes of a workflow as it is defined. Dependencies that do not exist are left out by the graph. */
export const boxesOfWorkflow = (workflow: ShownWorkflow): GraphBox[] =>
  Object.entries<ShownTask>(workflow.tasks).map(([taskId, task]) => ({
    taskId,
    title: task.name ?? taskId,
    text: taskText(task),
    status: task.enabled === false ? 'skipped' : undefined,
    dependsOn: (task.dependsOn ?? []).map((one) =>
      typeof one === 'string'
        ? { task: one, if: 'succeeded' }
        : { task: one.task, if: one.if ?? 'succeeded' },
    ),
    isFinally: task.finally !== undefined,
  }));

/**
 * What is wrong with the graph of a workflow while it is typed: no tasks, an unknown dependency, or a cycle.
 * Undefined if it can be drawn. The API checks everything else.
 */
export function graphProblem(workflow: unknown): string | undefined {
  const { tasks } = (workflow ?? {}) as Partial<Workflow>;
  if (typeof tasks !== 'object' || tasks === null || Array.isArray(tasks)) return 'There are no tasks.';
  const before = new Map<string, string[]>();
  for (const [taskId, task] of Object.entries(tasks)) {
    if (typeof task !== 'object' || task === null) return `${taskId} is not an object.`;
    if (task.dependsOn !== undefined && !Array.isArray(task.dependsOn))
      return `${taskId}.dependsOn is no list.`;
    before.set(
      taskId,
      (task.dependsOn ?? []).map((one) => (typeof one === 'string' ? one : String(one?.task))),
    );
  }
  for (const [taskId, needs] of before) {
    const unknown = needs.find((one) => !before.has(one));
    if (unknown !== undefined) return `${taskId} depends on ${unknown}, which does not exist.`;
  }
  const cycle = cycleIn(before);
  return cycle && `A task depends on itself: ${cycle.join(' → ')}.`;
}

/** The tasks of a cycle; undefined without one. */
function cycleIn(before: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (taskId: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(taskId)) return [...path.slice(path.indexOf(taskId)), taskId];
    if (done.has(taskId)) return undefined;
    for (const one of before.get(taskId)!) {
      const found = visit(one, [...path, taskId]);
      if (found) return found;
    }
    done.add(taskId);
    return undefined;
  };
  for (const taskId of before.keys()) {
    const found = visit(taskId, []);
    if (found) return found;
  }
  return undefined;
}
