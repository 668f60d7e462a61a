import { suggestionFor } from '../../contracts/suggestion';
import {
  branchesOf,
  type Dependency,
  MAX_DEPENDENCIES,
  MAX_TASKS,
  type Task,
  type Workflow,
} from './definition';
import { cycleIn } from './graph';
import { TASK_ID } from './task-id';

/** A fault of a workflow: the dotted path of the field, and what is wrong. */
export interface WorkflowFault {
  path: string;
  message: string;
}

/** More faults than these would not help, and each may cost a comparison of names. */
const MAX_FAULTS = 20;

/** What is wrong with the graph of a workflow whose fields have their types. Paths begin at the workflow. */
export function faultsOfGraph(workflow: Pick<Workflow, 'tasks'>): WorkflowFault[] {
  const ids = Object.keys(workflow.tasks);
  const sizes = faultsOfSizes(workflow);
  if (sizes.length > 0) return sizes;
  const faults: WorkflowFault[] = [];
  for (const id of ids) {
    if (faults.length >= MAX_FAULTS) break;
    if (!TASK_ID.test(id)) {
      const message = 'is not a task id: must be 1 to 48 letters, digits, "_" or "-", the first a letter';
      faults.push({ path: `tasks.${id}`, message });
    } else faults.push(...faultsOfTask(id, workflow.tasks[id]!, workflow.tasks, ids));
  }
  const cycle = faults.length === 0 ? cycleIn(workflow) : undefined;
  if (cycle)
    faults.push({ path: `tasks.${cycle[0]}.dependsOn`, message: `is a cycle: ${cycle.join(' → ')}` });
  return faults.slice(0, MAX_FAULTS);
}

function faultsOfSizes({ tasks }: Pick<Workflow, 'tasks'>): WorkflowFault[] {
  const ids = Object.keys(tasks);
  if (ids.length === 0 || ids.length > MAX_TASKS)
    return [{ path: 'tasks', message: `must have 1 to ${MAX_TASKS} tasks, not ${ids.length}` }];
  const edges = ids.reduce((sum, id) => sum + tasks[id]!.dependsOn.length, 0);
  if (edges > MAX_DEPENDENCIES)
    return [{ path: 'tasks', message: `must have at most ${MAX_DEPENDENCIES} dependencies, not ${edges}` }];
  if (ids.every((id) => tasks[id]!.finally))
    return [{ path: 'tasks', message: 'must have a task without "finally"' }];
  return [];
}

function faultsOfTask(
  id: string,
  { dependsOn, finally: last }: Task,
  tasks: Workflow['tasks'],
  ids: readonly string[],
): WorkflowFault[] {
  const path = `tasks.${id}.dependsOn`;
  if (last && dependsOn.length > 0)
    return [{ path, message: 'must be empty beside "finally": such a task runs after all others' }];
  const seen = new Set<string>();
  return dependsOn.flatMap((dependency, index): WorkflowFault[] => {
    const { task: upstream, branch = '' } = dependency;
    const at = `${path}.${index}`;
    const isRepeated = seen.has(`${upstream}.${branch}`);
    seen.add(`${upstream}.${branch}`);
    if (!Object.hasOwn(tasks, upstream)) {
      const others = ids.filter((other) => other !== id && !tasks[other]!.finally);
      return [{ path: at, message: `no task ${JSON.stringify(upstream)}${suggestionFor(upstream, others)}` }];
    }
    if (upstream === id) return [{ path: at, message: 'is the task itself' }];
    if (tasks[upstream]!.finally)
      return [{ path: at, message: `${JSON.stringify(upstream)} is a finally task: nothing depends on it` }];
    if (isRepeated) return [{ path: at, message: `${JSON.stringify(upstream)} is given more than once` }];
    return faultsOfBranch(dependency, tasks[upstream]!).map((message) => ({ path: `${at}.branch`, message }));
  });
}

function faultsOfBranch({ task, if: condition, branch }: Dependency, upstream: Task): string[] {
  if (branch === undefined) return [];
  if (!upstream.switch) return [`${JSON.stringify(task)} is no switch and has no branches`];
  if (condition !== 'succeeded') return [`is not allowed beside "if": ${JSON.stringify(condition)}`];
  const branches = branchesOf(upstream.switch);
  if (branches.includes(branch)) return [];
  return [
    `the switch ${JSON.stringify(task)} has no branch ${JSON.stringify(branch)}${suggestionFor(branch, branches)}`,
  ];
}
