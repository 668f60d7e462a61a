import { isObject } from '../../is-object';
import { type Import, jobIdOf, nameOf, SOURCE_TAG } from '../imported';
import { type Document, documentOf, expressionOf, merged, outputOf } from './document';
import { type Edge, type Json, listOf, type State, statesOf, textOf, Unmapped } from './machine';
import { switchOf } from './choice';
import { callOf, limitsOf } from './task';

const MAX_TASK_ID = 48;
const MAX_RUN_SEC = 30 * 86_400;
const MIN_RUN_SEC = 60;

/** A machine that is being translated: its tasks, and what did not become one. */
interface Work {
  tasks: Record<string, Json>;
  notes: string[];
  refused: { state: string; reason: string }[];
}

/** How the states of a machine, or of a branch of it, end: the tasks after which the next one comes. */
interface Ends {
  dependsOn: unknown[];
  documents: Document[];
}

/**
 * Translates a state machine to a job with a workflow. A state without a counterpart becomes a task that does
 * nothing, so that the rest keeps its order. The job is then paused, and the reason is given.
 */
export function importFromStepFunctions(machine: Json, source: string, jobId: string): Import {
  const work: Work = { tasks: {}, notes: [], refused: [] };
  try {
    statesInto(work, machine, { dependsOn: [], documents: [documentOf('params')] });
  } catch (error) {
    if (!(error instanceof Unmapped)) throw error;
    return { jobs: [], refused: [{ source, reason: error.message }] };
  }
  const comment = textOf(machine, 'Comment');
  const params = Object.fromEntries(
    [...JSON.stringify(work.tasks).matchAll(/\bparams\.([A-Za-z_]\w*)/g)].map(([, name]) => [name!, null]),
  );
  const readsInput = /\{\{ params\b/.test(JSON.stringify(work.tasks));
  if (readsInput)
    work.notes.push('the input of an execution becomes parameters: declare those that a run gives');
  const seconds = machine.TimeoutSeconds;
  const isAll = work.refused.length === 0;
  const definition = {
    ...(comment !== undefined && { name: nameOf(comment) }),
    schedule: { type: 'none' },
    ...(typeof seconds === 'number' && {
      timeout: `${Math.min(MAX_RUN_SEC, Math.max(MIN_RUN_SEC, seconds))}s`,
    }),
    workflow: { ...(readsInput && { params }), tasks: work.tasks },
    tags: { [SOURCE_TAG]: 'step-functions' },
  };
  return {
    jobs: [{ source, jobId: jobIdOf(jobId), definition, ...(!isAll && { paused: true }), notes: work.notes }],
    refused: work.refused.map(({ state, reason }) => ({ source: `${source}: ${state}`, reason })),
  };
}

/** Adds the tasks of a machine after what comes before it. */
function statesInto(work: Work, machine: Json, before: Ends): Ends {
  const states = statesOf(machine);
  const ids = new Map<string, string>();
  const outputs = new Map<string, Document>();
  const ended: Ends = { dependsOn: [], documents: [] };
  for (const state of states) {
    const { name, json, from } = state;
    if (json.Type === 'Succeed') continue;
    const dependsOn =
      from.length > 0 ? distinct(from.map((edge) => dependencyOf(edge, ids, work.tasks))) : before.dependsOn;
    const documents = from.length > 0 ? from.map((edge) => outputs.get(edge.state)!) : before.documents;
    const input = merged(documents);
    const made = stateInto(work, state, { dependsOn, input });
    ids.set(name, made.id);
    outputs.set(name, made.output);
    if (json.End === true || leadsToSuccess(json, machine)) {
      ended.dependsOn.push({ task: made.id, if: 'succeeded' });
      ended.documents.push(made.output);
    }
  }
  return ended;
}

const leadsToSuccess = ({ Next: next }: Json, { States: states }: Json): boolean =>
  typeof next === 'string' && isObject(states) && isObject(states[next]) && states[next].Type === 'Succeed';

/** A choice that was not translated has no branches: what follows on it comes after it in any case. */
function dependencyOf(
  { state, branch, caught }: Edge,
  ids: ReadonlyMap<string, string>,
  tasks: Work['tasks'],
) {
  const task = ids.get(state)!;
  if (caught) return { task: failingOf(task), if: 'failed' };
  return branch === undefined || !tasks[task]?.switch ? task : { task, branch };
}

/** Without those that say the same. */
const distinct = (edges: readonly unknown[]): unknown[] => [
  ...new Map(edges.map((edge) => [JSON.stringify(edge), edge])).values(),
];

/** A state with a handler has two tasks: one that calls, and one that says that the call succeeded. */
const SUCCESS = '-ok';
const failingOf = (id: string): string => id.slice(0, -SUCCESS.length);

interface Place {
  dependsOn: unknown[];
  input: Document;
}

function stateInto(work: Work, { name, json }: State, place: Place): { id: string; output: Document } {
  const id = idFor(name, work.tasks);
  const say = (note: string) => work.notes.push(`${name}: ${note}`);
  const notes: string[] = [];
  try {
    const { task, output, id: ownId = id } = translated(work, { name, json }, { ...place, id }, notes);
    for (const note of notes) say(note);
    if (task)
      work.tasks[ownId] = { ...task, ...(place.dependsOn.length > 0 && { dependsOn: place.dependsOn }) };
    return withHandler(work, json, ownId, output);
  } catch (error) {
    if (!(error instanceof Unmapped)) throw error;
    work.refused.push({ state: name, reason: error.message });
    work.tasks[id] = {
      note: `not imported: ${error.message}`.slice(0, 500),
      ...(place.dependsOn.length > 0 && { dependsOn: place.dependsOn }),
    };
    return withHandler(work, json, id, documentOf(undefined));
  }
}

/** With a `Catch`, the failure does not count, and what comes next asks for the success. */
function withHandler(work: Work, json: Json, id: string, output: Document): { id: string; output: Document } {
  if (listOf(json, 'Catch').length === 0) return { id, output };
  const task = work.tasks[id]!;
  if (json.Type === 'Task') task.allowFailure = true;
  else work.notes.push(`${id}: a failure within it fails the run, also if it is handled`);
  if (listOf(json, 'Catch').some((one) => JSON.stringify(one.ErrorEquals) !== '["States.ALL"]'))
    work.notes.push(`${id}: its handlers take every failure`);
  const when = { value: `{{ tasks.${id}.status }}`, equals: 'succeeded' };
  work.tasks[id + SUCCESS] = { dependsOn: [{ task: id, if: 'done' }], when };
  return { id: id + SUCCESS, output };
}

interface Made {
  task?: Json;
  output: Document;
  id?: string;
}

function translated(
  work: Work,
  { name, json }: Pick<State, 'name' | 'json'>,
  { dependsOn, input, id }: Place & { id: string },
  notes: string[],
): Made {
  switch (json.Type) {
    case 'Task': {
      const task = { ...callOf(json, input, notes), ...limitsOf(json, notes) };
      return { task, output: outputOf(json, input, `tasks.${id}.output`) };
    }
    case 'Pass':
      if (json.Result !== undefined || json.Parameters !== undefined)
        throw new Unmapped('it makes a value: write the value into the inputs of the tasks after it');
      return { task: {}, output: input };
    case 'Wait':
      return { task: timeOf(json, input), output: input };
    case 'Choice':
      if (json.Default === undefined) notes.push('if no rule holds, the run succeeds');
      return { task: { switch: switchOf(json, input) }, output: input };
    case 'Parallel': {
      const branches = listOf(json, 'Branches').map((branch) =>
        statesInto(work, branch, { dependsOn, documents: [input] }),
      );
      work.tasks[id] = { dependsOn: branches.flatMap((branch) => branch.dependsOn) };
      return { output: json.ResultPath === null ? input : documentOf(undefined) };
    }
    case 'Map':
      return { task: fanOutOf(json, input, notes), output: outputOf(json, input, `tasks.${id}.output`) };
    case 'Fail':
      throw new Unmapped('a run fails if a task fails: let the task before it fail');
    default:
      throw new Unmapped(`the type ${JSON.stringify(json.Type)} of ${name} is not known`);
  }
}

function timeOf(json: Json, input: Document): Json {
  if (typeof json.Seconds === 'number') return json.Seconds > 0 ? { delay: `${json.Seconds}s` } : {};
  if (typeof json.Timestamp === 'string') return { notBefore: json.Timestamp };
  const path = textOf(json, 'TimestampPath');
  if (path !== undefined) return { notBefore: `{{ ${expressionOf(path, input)} }}` };
  throw new Unmapped('SecondsPath has no counterpart: a delay is fixed; TimestampPath has one');
}

/** A Map whose items need one state. */
function fanOutOf(json: Json, input: Document, notes: string[]): Json {
  const processor = isObject(json.ItemProcessor) ? json.ItemProcessor : json.Iterator;
  const states = isObject(processor) ? statesOf(processor) : [];
  const [only] = states;
  if (json.ItemReader !== undefined) throw new Unmapped('ItemReader is not translated: make a list of items');
  if (states.length !== 1 || only?.json.Type !== 'Task')
    throw new Unmapped('its items need more than one Task state: make those a Lambda function');
  if (json.ItemSelector !== undefined || json.Parameters !== undefined)
    throw new Unmapped('ItemSelector is not translated');
  const tolerated = json.ToleratedFailureCount ?? json.ToleratedFailurePercentage;
  const isPart = json.ToleratedFailureCount === undefined;
  return {
    ...callOf(only.json, documentOf('item'), notes),
    ...limitsOf(only.json, notes),
    forEach: {
      items: `{{ ${expressionOf(textOf(json, 'ItemsPath') ?? '$', input)} }}`,
      ...(typeof json.MaxConcurrency === 'number' &&
        json.MaxConcurrency > 0 && { concurrency: json.MaxConcurrency }),
      ...(typeof tolerated === 'number' && { tolerate: isPart ? `${tolerated}%` : tolerated }),
    },
  };
}

/** An id for a state, which no other task has. */
function idFor(name: string, tasks: Json): string {
  const allowed = name.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^[^A-Za-z]+/, '');
  const base = (allowed || 'state').slice(0, MAX_TASK_ID - SUCCESS.length - 3);
  for (let count = 1; ; count++) {
    const id = count === 1 ? base : `${base}-${count}`;
    if (!Object.hasOwn(tasks, id) && !Object.hasOwn(tasks, id + SUCCESS)) return id;
  }
}
