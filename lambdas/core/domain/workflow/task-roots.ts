import type { Root, Roots } from '../../templates/roots';
import { RUN_FIELDS } from '../../templates/roots';
import { suggestionFor } from '../../contracts/suggestion';
import type { Json } from '../../templates/syntax';
import { shown } from '../../templates/template-error';
import { isStarted, type Task, type Workflow } from './definition';
import type { Graph } from './graph';
import { settledBefore } from './references';

/** The fields of `run` that only finally tasks know. */
export const FINALLY_FIELDS = ['status', 'reason', 'failedTasks', 'counts'] as const;
/** Those of them that are no texts. */
const STRUCTURED: readonly string[] = ['failedTasks', 'counts'];

/** The fields of `tasks.<id>`. */
export const TASK_FIELDS = [
  'output',
  'status',
  'startedAt',
  'finishedAt',
  'attempts',
  'branch',
  'count',
  'succeeded',
  'failed',
] as const;
/** Those of them that only fan-outs have. */
const ITEM_FIELDS: readonly string[] = ['count', 'succeeded', 'failed'];

/** The roots of the templates by which one task is decided. */
export function rootsOfTask(graph: Graph, index: number): Roots {
  return new Map<string, Root>([
    ['run', runRoot({ knowsEnd: graph.tasks[index]!.task.finally !== undefined })],
    ...(graph.workflow.params ? [['params', paramsRoot(graph.workflow.params)] as const] : []),
    ['tasks', tasksRoot(graph, index)],
  ]);
}

/** The roots of the templates of what one task delivers. */
export function rootsOfDelivery(graph: Graph, index: number): Roots {
  const roots = rootsOfTask(graph, index);
  return graph.tasks[index]!.task.forEach ? new Map([...roots, ['item', ITEM], ['index', INDEX]]) : roots;
}

/** The roots of the output of a run: every task has ended, and the run too. */
export const rootsOfOutput = (graph: Graph): Roots =>
  new Map<string, Root>([
    ['run', runRoot({ knowsEnd: true })],
    ...(graph.workflow.params ? [['params', paramsRoot(graph.workflow.params)] as const] : []),
    ['tasks', tasksRoot(graph, undefined)],
  ]);

/** Nothing is known of an item before the list is made. */
const ITEM: Root = { faultOf: () => undefined };
const INDEX: Root = {
  faultOf: ([field]) => (field === undefined ? undefined : 'index is a number and has no fields'),
};

const runRoot = ({ knowsEnd }: { knowsEnd: boolean }): Root => ({
  faultOf([field, ...below]) {
    if (field === undefined) return undefined;
    const fields: readonly string[] = [...RUN_FIELDS, ...(knowsEnd ? FINALLY_FIELDS : [])];
    if (typeof field !== 'string' || !fields.includes(field)) {
      const isLater = (FINALLY_FIELDS as readonly unknown[]).includes(field);
      if (isLater) return `run.${field} is known in finally tasks and in the output of the run only`;
      return `run has no field ${shown(field)}${suggestionFor(String(field), fields)}`;
    }
    if (below.length === 0 || STRUCTURED.includes(field)) return undefined;
    return `run.${field} is a text and has no fields`;
  },
});

const paramsRoot = (params: NonNullable<Workflow['params']>): Root => ({
  faultOf([name, ...below]) {
    if (name === undefined) return undefined;
    if (typeof name !== 'string' || !Object.hasOwn(params, name))
      return `there is no parameter ${shown(name)}${suggestionFor(String(name), Object.keys(params))}`;
    const isScalar = typeof params[name] !== 'object';
    return isScalar && below.length > 0
      ? `params.${name} is ${jsonTypeOf(params[name]!)} and has no fields`
      : undefined;
  },
});

/** What a JSON value is, for messages. */
export function jsonTypeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return { string: 'a text', number: 'a number', boolean: 'true or false', object: 'an object' }[
    typeof value as 'string' | 'number' | 'boolean' | 'object'
  ];
}

/** @param index absent: all tasks have ended */
function tasksRoot(graph: Graph, index: number | undefined): Root {
  const own = index === undefined ? undefined : graph.tasks[index]!.id;
  let settled: ReadonlySet<number> | undefined;
  return {
    faultOf([id, field, ...below]) {
      settled ??= index === undefined ? new Set(graph.order) : settledBefore(graph, index);
      const usable = [...settled].map((one) => graph.tasks[one]!.id);
      if (id === undefined) return `tasks needs the id of a task${suggestionFor('', usable)}`;
      const upstream = typeof id === 'string' ? graph.indexOf.get(id) : undefined;
      if (upstream === undefined) return `there is no task ${shown(id)}${suggestionFor(String(id), usable)}`;
      if (id === own) return `${shown(id)} is the task itself`;
      if (!settled.has(upstream))
        return `the task ${shown(id)} may not have ended when this one starts: it must depend on it`;
      return faultOfField(String(id), graph.tasks[upstream]!.task, field, below.length);
    },
  };
}

function faultOfField(
  id: string,
  task: Task,
  field: string | number | undefined,
  below: number,
): string | undefined {
  if (field === undefined || typeof field === 'number' || !TASK_FIELDS.some((one) => one === field))
    return `tasks.${id} has no field ${shown(field ?? '')}${suggestionFor(String(field ?? ''), TASK_FIELDS)}`;
  if (ITEM_FIELDS.includes(field) && !task.forEach)
    return `the task ${shown(id)} has no forEach and no items`;
  if (field === 'branch' && !task.switch) return `the task ${shown(id)} is no switch and takes no branch`;
  if (field === 'output') return faultOfOutput(id, task);
  return below > 0 ? `tasks.${id}.${field} has no fields` : undefined;
}

function faultOfOutput(id: string, task: Task): string | undefined {
  if (task.approval) return undefined;
  if (task.targets) return `the task ${shown(id)} has several targets and no output of its own`;
  return isStarted(task) ? undefined : `the task ${shown(id)} calls no target and has no output`;
}
