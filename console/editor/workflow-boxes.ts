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

/** A workflow whose tasks can be drawn, whatever else may be wrong with it; undefined for another value. */
export function drawable(value: unknown): Workflow | undefined {
  const isObject = (one: unknown): one is Record<string, unknown> =>
    typeof one === 'object' && one !== null && !Array.isArray(one);
  const isDependency = (one: unknown) => typeof one === 'string' || isObject(one);
  const isTask = (one: unknown): boolean =>
    isObject(one) &&
    (one.dependsOn === undefined || (Array.isArray(one.dependsOn) && one.dependsOn.every(isDependency))) &&
    (one.targets === undefined || (Array.isArray(one.targets) && one.targets.every(isObject))) &&
    (one.target === undefined || isObject(one.target));
  if (!isObject(value) || !isObject(value.tasks)) return undefined;
  return Object.values(value.tasks).every(isTask) ? (value as unknown as Workflow) : undefined;
}
