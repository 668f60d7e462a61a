import { branchesOf, type DependencyCondition, type Task, type Workflow } from './definition';

/** A task in its graph. `index`: its position among the sorted ids, whatever order the user wrote them in. */
export interface GraphTask {
  index: number;
  id: string;
  task: Task;
  dependsOn: readonly GraphEdge[];
}

export interface GraphEdge {
  index: number;
  if: DependencyCondition;
  /** Index of the branch of a switch, if the dependency names one. */
  branch?: number;
}

/** A workflow, prepared for `derive`. */
export interface Graph {
  workflow: Workflow;
  /** By index. */
  tasks: readonly GraphTask[];
  indexOf: ReadonlyMap<string, number>;
  /** Indexes: each task after all that it depends on, and finally tasks last. */
  order: readonly number[];
}

const graphs = new WeakMap<Workflow, Graph>();

/** The graph of a workflow without faults. It is made once for each object. */
export function graphOf(workflow: Workflow): Graph {
  let graph = graphs.get(workflow);
  if (!graph) graphs.set(workflow, (graph = makeGraph(workflow)));
  return graph;
}

function makeGraph(workflow: Workflow): Graph {
  const ids = Object.keys(workflow.tasks).sort();
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const tasks = ids.map((id, index): GraphTask => {
    const task = workflow.tasks[id]!;
    const dependsOn = task.dependsOn.map(({ task: upstream, if: condition, branch }): GraphEdge => {
      const chosen = workflow.tasks[upstream]!.switch;
      return {
        index: indexOf.get(upstream)!,
        if: condition,
        ...(branch !== undefined && chosen && { branch: branchesOf(chosen).indexOf(branch) }),
      };
    });
    return { index, id, task, dependsOn };
  });
  const levels = levelsOf(workflow);
  const main = levels.flat().filter((id) => !workflow.tasks[id]!.finally);
  const last = ids.filter((id) => workflow.tasks[id]!.finally);
  return { workflow, tasks, indexOf, order: [...main, ...last].map((id) => indexOf.get(id)!) };
}

/**
 * The tasks by level: each depends on tasks of lower levels alone. Tasks of a cycle, and those that depend on
 * one, are in none. Finally tasks are the last level.
 */
export function levelsOf({ tasks }: Pick<Workflow, 'tasks'>): string[][] {
  const ids = Object.keys(tasks).sort();
  const main = ids.filter((id) => !tasks[id]!.finally);
  const dependents = new Map<string, string[]>(main.map((id) => [id, []]));
  const open = new Map<string, number>();
  for (const id of main) {
    open.set(id, tasks[id]!.dependsOn.length);
    for (const { task } of tasks[id]!.dependsOn) dependents.get(task)?.push(id);
  }
  const levels: string[][] = [];
  for (let level = main.filter((id) => open.get(id) === 0); level.length > 0;) {
    levels.push(level);
    const next: string[] = [];
    for (const dependent of level.flatMap((id) => dependents.get(id)!)) {
      const left = open.get(dependent)! - 1;
      open.set(dependent, left);
      if (left === 0) next.push(dependent);
    }
    level = next.sort();
  }
  const last = ids.filter((id) => tasks[id]!.finally);
  return last.length > 0 ? [...levels, last] : levels;
}

/** The tasks of one cycle, in order, the first again at the end; undefined if there is none. */
export function cycleIn({ tasks }: Pick<Workflow, 'tasks'>): string[] | undefined {
  const sorted = new Set(levelsOf({ tasks }).flat());
  const inCycle = Object.keys(tasks).filter((id) => !sorted.has(id));
  const [start] = inCycle.sort();
  if (start === undefined) return undefined;
  const path: string[] = [];
  // Each of them depends on another one of them, so the walk comes back.
  for (let at = start; !path.includes(at);) {
    path.push(at);
    at = tasks[at]!.dependsOn.map(({ task }) => task).find((task) => inCycle.includes(task))!;
    if (path.includes(at)) return [...path.slice(path.indexOf(at)), at].reverse();
  }
  return path;
}
