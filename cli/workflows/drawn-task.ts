import { CliError } from '../exit-codes';
import { isObject } from '../is-object';

/** A dependency as it is drawn. */
export interface DrawnEdge {
  /** Id of the upstream task. */
  from: string;
  /** The condition, unless it is `succeeded`. */
  label?: string;
}

/** A task as it is drawn. Files are drawn before the API has checked them, so fields may be missing. */
export interface DrawnTask {
  id: string;
  /** What it does: `http`, `3 targets`, `join`. */
  kind: string;
  /** What differs from other tasks: `any of`, `failure allowed`. */
  notes: string[];
  dependsOn: DrawnEdge[];
  /** After which outcome a finally task runs. */
  finally?: string;
}

type Given = Record<string, unknown>;

/** Fields that say what a task without a target does, in the order in which they are looked for. */
const KINDS = ['switch', 'approval', 'job', 'await'] as const;

/**
 * The tasks of a workflow, each after all that it depends on, and finally tasks last. Throws a `CliError` for
 * what cannot be drawn: an unknown task, or a cycle.
 */
export function drawnTasks(workflow: unknown): DrawnTask[] {
  const given = isObject(workflow) && isObject(workflow.tasks) ? workflow.tasks : undefined;
  if (!given) throw new CliError('the workflow has no tasks: expected an object with task ids as keys');
  const tasks = Object.entries(given).map(([id, task]) => drawnTask(id, isObject(task) ? task : {}));
  const byId = new Map(tasks.map((task) => [task.id, task]));
  for (const { id, dependsOn } of tasks)
    for (const { from } of dependsOn)
      if (!byId.has(from)) throw new CliError(`tasks.${id}.dependsOn: no task ${JSON.stringify(from)}`);
  return inOrder(tasks);
}

/** One task. Whether the others exist is not checked. */
export function drawnTask(id: string, task: Given): DrawnTask {
  const edges: unknown[] = Array.isArray(task.dependsOn) ? task.dependsOn : [];
  const notes = [
    task.join === 'any' ? 'any of' : undefined,
    task.allowFailure === true ? 'failure allowed' : undefined,
    task.enabled === false ? 'disabled' : undefined,
    task.when === undefined ? undefined : 'if its condition holds',
    typeof task.delay === 'string' ? `after ${task.delay}` : undefined,
    typeof task.notBefore === 'string' ? `not before ${task.notBefore}` : undefined,
  ];
  return {
    id,
    kind: kindOf(task),
    notes: notes.filter((note) => note !== undefined),
    dependsOn: edges.map(edgeOf).filter(({ from }) => from !== ''),
    ...(typeof task.finally === 'string' && { finally: task.finally }),
  };
}

function edgeOf(edge: unknown): DrawnEdge {
  if (typeof edge === 'string') return { from: edge };
  const { task, if: condition, branch } = isObject(edge) ? edge : {};
  const label = typeof branch === 'string' ? branch : condition;
  const shown = typeof label === 'string' && label !== 'succeeded' ? { label } : {};
  return { from: typeof task === 'string' ? task : '', ...shown };
}

function kindOf(task: Given): string {
  const kind = KINDS.find((name) => task[name] !== undefined) ?? targetKindOf(task);
  return task.forEach === undefined ? kind : `${kind}, for each item`;
}

function targetKindOf({ target, targets, delay, notBefore }: Given): string {
  if (Array.isArray(targets)) return `${targets.length} targets`;
  if (!isObject(target)) return delay === undefined && notBefore === undefined ? 'join' : 'wait';
  return typeof target.type === 'string' ? target.type : 'target';
}

/** Tasks that were ready first come first, in the order of the file. */
function inOrder(tasks: readonly DrawnTask[]): DrawnTask[] {
  const ordered: DrawnTask[] = [];
  const done = new Set<string>();
  for (let left = tasks.filter((task) => task.finally === undefined); left.length > 0;) {
    const ready = left.filter(({ dependsOn }) => dependsOn.every(({ from }) => done.has(from)));
    if (ready.length === 0)
      throw new CliError(`the tasks ${left.map(({ id }) => id).join(', ')} depend on each other in a cycle`);
    ordered.push(...ready);
    for (const { id } of ready) done.add(id);
    left = left.filter((task) => !ready.includes(task));
  }
  return [...ordered, ...tasks.filter((task) => task.finally !== undefined)];
}
