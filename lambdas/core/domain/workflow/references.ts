import { parseTemplate } from '../../templates/parse';
import type { Json, Path } from '../../templates/syntax';
import { TemplateError } from '../../templates/template-error';
import { targetsOf } from '../job';
import type { Target } from '../target';
import { hasWork, type Condition, type Task, type ValueCondition } from './definition';
import type { Graph } from './graph';

/** What the templates of one task read, beside the values of its run. */
export interface TaskReads {
  /** Indexes of the tasks whose values it reads. */
  tasks: readonly number[];
  params: boolean;
}

/** By index: what each task reads, and whether its output is kept. */
export interface GraphReads {
  of: readonly TaskReads[];
  /** What the output of the run reads. */
  output: TaskReads;
  keepsOutput: readonly boolean[];
}

const known = new WeakMap<Graph, GraphReads>();

/** What the tasks of a workflow without faults read. It is found out once for each graph. */
export function readsOf(graph: Graph): GraphReads {
  let reads = known.get(graph);
  if (!reads) known.set(graph, (reads = findReads(graph)));
  return reads;
}

function findReads(graph: Graph): GraphReads {
  const keepsOutput = graph.tasks.map(({ task }) => task.keepOutput === true);
  const readsIn = (texts: readonly string[], isGivenParams: boolean): TaskReads => {
    const tasks = new Set<number>();
    let params = isGivenParams;
    for (const { root, steps } of pathsIn(texts)) {
      if (root === 'params') params = true;
      const index = root === 'tasks' ? graph.indexOf.get(String(steps[0])) : undefined;
      if (index === undefined) continue;
      tasks.add(index);
      if (steps[1] === 'output') keepsOutput[index] = true;
    }
    return { tasks: [...tasks], params };
  };
  const { params, output } = graph.workflow;
  const of = graph.tasks.map(({ task }) => {
    const isGivenParams = params !== undefined && hasWork(task) && task.input === undefined && !task.forEach;
    return readsIn(templatesOf(task), isGivenParams);
  });
  return { of, output: readsIn(output === undefined ? [] : textsIn(output), false), keepsOutput };
}

/** The texts of `when`, each with its path below the condition. */
export function templatesOfCondition(condition: Condition): { path: string; text: string }[] {
  const listed = (name: string, list: readonly ValueCondition[]) =>
    list.map(({ value }, index) => ({ path: `${name}.${index}.value`, text: value }));
  if ('all' in condition) return listed('all', condition.all);
  return 'any' in condition ? listed('any', condition.any) : [{ path: 'value', text: condition.value }];
}

/** The texts of a window that is no named one, each with its path below the task. */
export function windowTexts({ await: awaits }: Task): { path: string; text: string }[] {
  if (!awaits || typeof awaits.window === 'string') return [];
  const { from, to } = awaits.window;
  return [
    { path: 'await.window.from', text: from },
    { path: 'await.window.to', text: to },
  ];
}

/** All texts of a task that are templates. */
export const templatesOf = (task: Task): string[] => [
  ...(task.input === undefined ? [] : textsIn(task.input as Json)),
  ...(task.params ? textsIn(task.params) : []),
  ...targetsOf(task).flatMap(templatesOfTarget),
  ...(task.forEach ? textsIn(task.forEach.items as Json) : []),
  ...(task.when ? templatesOfCondition(task.when).map(({ text }) => text) : []),
  ...(task.switch ? [task.switch.on] : []),
  ...(task.notBefore === undefined ? [] : [task.notBefore]),
  ...windowTexts(task).map(({ text }) => text),
  ...(task.approval?.note === undefined ? [] : [task.approval.note]),
];

function templatesOfTarget(target: Target): string[] {
  if (target.type === 'http') return [target.url, ...Object.values(target.headers)];
  return target.type === 'aws' ? textsIn(target.input as Json) : [];
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((inner: Json) => textsIn(inner));
}

/** A text that is no template has no paths: the checks of templates report it. */
function pathsIn(texts: readonly string[]): Path[] {
  return texts.flatMap((text) => {
    try {
      return parseTemplate(text).flatMap((part) =>
        typeof part === 'string' || part.kind === 'secret'
          ? []
          : [
              part.path,
              ...part.filters.flatMap(({ args }) => args.filter((arg): arg is Path => arg.kind === 'path')),
            ],
      );
    } catch (error) {
      if (error instanceof TemplateError) return [];
      throw error;
    }
  });
}

/**
 * The tasks that have ended in any case when a task starts: only their values are the same at each of its
 * attempts. A finally task comes after all others.
 */
export function settledBefore(graph: Graph, index: number): ReadonlySet<number> {
  if (graph.tasks[index]!.task.finally)
    return new Set(graph.tasks.filter(({ task }) => !task.finally).map((one) => one.index));
  const settled = new Set<number>();
  const walk = (at: number): void => {
    const { task, dependsOn } = graph.tasks[at]!;
    if (task.join === 'any' && new Set(dependsOn.map((one) => one.index)).size > 1) return;
    for (const { index: upstream, if: condition } of dependsOn) {
      const isNew = !settled.has(upstream);
      settled.add(upstream);
      // A task that was blocked or disabled did not wait for the tasks before it.
      const hasWaited = condition === 'succeeded' && graph.tasks[upstream]!.task.enabled !== false;
      if (hasWaited && isNew) walk(upstream);
    }
  };
  walk(index);
  return settled;
}
