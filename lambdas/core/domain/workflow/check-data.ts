import { faultsIn, faultsOfText } from '../../templates/check';
import type { Roots } from '../../templates/roots';
import type { Json } from '../../templates/syntax';
import type { WorkflowFault } from './check';
import {
  type ForEach,
  MAX_ITEMS,
  MAX_PARAMS,
  MAX_PARAMS_BYTES,
  MAX_REFERENCES,
  MAX_UNBOUNDED_ITEMS,
  type Workflow,
} from './definition';
import { type Graph, graphOf } from './graph';
import { bytesOfJson, PARAM_NAME } from './params';
import { readsOf, templatesOfCondition, windowTexts } from './references';
import { rootsOfDelivery, rootsOfOutput, rootsOfTask } from './task-roots';
import { faultOfTime } from './task-times';

/**
 * What is wrong with the parameters of a workflow, and with the templates by which its tasks are decided. Its
 * graph has no faults. The API checks the templates of inputs and targets.
 */
export function faultsOfData(workflow: Workflow): WorkflowFault[] {
  const graph = graphOf(workflow);
  return [
    ...faultsOfDeclaration(workflow),
    ...graph.tasks.flatMap(({ index }) => faultsOfTask(graph, index)),
    ...faultsOfOutput(graph),
  ];
}

function faultsOfDeclaration({ params }: Workflow): WorkflowFault[] {
  if (!params) return [];
  const names = Object.keys(params);
  if (names.length > MAX_PARAMS)
    return [{ path: 'params', message: `must have at most ${MAX_PARAMS} parameters, not ${names.length}` }];
  const bytes = bytesOfJson(params);
  if (bytes > MAX_PARAMS_BYTES)
    return [{ path: 'params', message: `must have at most ${MAX_PARAMS_BYTES} bytes as JSON, not ${bytes}` }];
  return names
    .filter((name) => !PARAM_NAME.test(name))
    .map((name) => ({
      path: `params.${name}`,
      message: 'is not a name: must be 1 to 64 letters, digits, "_" or "-", the first a letter or "_"',
    }));
}

function faultsOfTask(graph: Graph, index: number): WorkflowFault[] {
  const { id, task } = graph.tasks[index]!;
  const texts = [
    ...(task.when
      ? templatesOfCondition(task.when).map(({ path, text }) => ({ path: `when.${path}`, text }))
      : []),
    ...(task.switch ? [{ path: 'switch.on', text: task.switch.on }] : []),
    ...windowTexts(task),
    ...(task.notBefore === undefined ? [] : [{ path: 'notBefore', text: task.notBefore }]),
    ...(task.approval?.note === undefined ? [] : [{ path: 'approval.note', text: task.approval.note }]),
  ];
  const roots = rootsOfTask(graph, index);
  const ofChild = { roots: rootsOfDelivery(graph, index) };
  const faults = [
    ...texts.flatMap(({ path, text }) =>
      faultsOfText(text, { roots }).map((message) => ({ path: `tasks.${id}.${path}`, message })),
    ),
    ...(task.params ? faultsIn(task.params, `tasks.${id}.params`, ofChild) : []),
    ...(task.forEach ? faultsOfForEach(task.forEach, `tasks.${id}.forEach`, roots) : []),
  ];
  const untimely = task.notBefore === undefined ? undefined : faultOfTime(task.notBefore);
  if (untimely !== undefined) faults.push({ path: `tasks.${id}.notBefore`, message: untimely });
  const read = readsOf(graph).of[index]!.tasks.length;
  if (read <= MAX_REFERENCES) return faults;
  const message = `refers to ${read} tasks; at most ${MAX_REFERENCES} are allowed`;
  return [...faults, { path: `tasks.${id}`, message }];
}

function faultsOfOutput(graph: Graph): WorkflowFault[] {
  const { output } = graph.workflow;
  if (output === undefined) return [];
  const faults = faultsIn(output, 'output', { roots: rootsOfOutput(graph) });
  const read = readsOf(graph).output.tasks.length;
  if (read <= MAX_REFERENCES) return faults;
  return [
    ...faults,
    { path: 'output', message: `refers to ${read} tasks; at most ${MAX_REFERENCES} are allowed` },
  ];
}

function faultsOfForEach({ items, concurrency }: ForEach, path: string, roots: Roots): WorkflowFault[] {
  const faults = faultsIn(items as Json, `${path}.items`, { roots });
  const message = typeof items === 'string' ? undefined : faultOfItemCount(items.length, concurrency);
  return message === undefined ? faults : [...faults, { path: `${path}.items`, message }];
}

/** Why a list cannot be fanned out; undefined: it can. */
export function faultOfItemCount(count: number, concurrency: number | undefined): string | undefined {
  if (count > MAX_ITEMS) return `has ${count} items; at most ${MAX_ITEMS} are allowed`;
  if (count <= MAX_UNBOUNDED_ITEMS || concurrency !== undefined) return undefined;
  return `has ${count} items; more than ${MAX_UNBOUNDED_ITEMS} need a "concurrency"`;
}
