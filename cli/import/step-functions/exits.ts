import { isObject } from '../../is-object';
import type { AllowedEntry } from '../action';
import { type Json, objectIn, pathIn, textIn, Unmapped } from '../json';
import { handlerOf, type Remarks, retryOf, timeoutSecOf, workTimeSecOf } from './limits';
import { Scope } from './scope';
import type { Call } from './call';
import { noteOf, type Tasks, type Way } from './tasks';
import { unknown, type Value } from './value';
import type { WorkJobs } from './work-jobs';

/** A machine that is being translated, and what of it is not as it was. */
export interface Work {
  tasks: Tasks;
  /** The jobs of its tasks that wait for work of AWS. */
  workJobs: WorkJobs;
  /** What its tasks call of AWS by its own name: each once. */
  actions: Map<string, AllowedEntry>;
  /** Where the machine is: a name in it may mean an ARN there. */
  place?: string | undefined;
  notes: string[];
  refused: { state: string; reason: string }[];
  /** States whose call has no body. */
  withoutBody: string[];
}

/** How a state, or a machine, is entered or left. */
export interface Passage {
  way: Way;
  value: Value;
}

/** A passage from a state. Without `to`, it ends the machine: well, or with `failed`. */
export interface Exit extends Passage {
  to?: string;
  failed?: true;
}

export interface Translation {
  work: Work;
  name: string;
  json: Json;
  entered: Passage;
  remarks: Remarks;
}

/** Throws `Unmapped`. */
export function checkLanguage(json: Json): void {
  const language = textIn(json, 'QueryLanguage') ?? 'JSONPath';
  if (language !== 'JSONPath') throw new Unmapped(`it uses ${language}; only JSONPath is translated`);
}

/** The comment of a state, as the note of its task. */
export const noteIn = ({ json }: Translation): Json => {
  const note = typeof json.Comment === 'string' ? noteOf(json.Comment) : '';
  return note === '' ? {} : { note };
};

/** The exits of a state that goes on to its Next, after ResultPath and OutputPath. */
export function onward(
  { work, name, json, entered }: Translation,
  way: Way,
  result: Value,
  { effective }: { effective?: true } = {},
): Exit[] {
  const scope = new Scope(name);
  const selected =
    json.ResultSelector === undefined ? result : scope.template(objectIn(json, 'ResultSelector'), result);
  const placed = effective ? selected : scope.placed(pathIn(json, 'ResultPath'), entered.value, selected);
  const value = scope.selected(json, 'OutputPath', placed);
  const left = work.tasks.guarded(`${name}-out`, scope.reads, way);
  return [{ to: textIn(json, 'Next'), way: left, value }];
}

/** `retry` and `timeout` of a task. */
export function limitsOf(json: Json, { service, work }: Call, remarks: Remarks) {
  const isHttp = service === 'http';
  const timeoutSec = work
    ? workTimeSecOf(json, work.mostSec, remarks)
    : timeoutSecOf(json, { isHttp, isLong: service === 'lambda' }, remarks);
  return { retry: retryOf(json, { isHttp }, remarks), timeout: `${timeoutSec}s` };
}

/** What a task calls, with its limits. Work that is waited for gets a job, which the task starts. */
export function calledBy(
  { work, name }: Pick<Translation, 'work' | 'name'>,
  call: Call,
  limits: ReturnType<typeof limitsOf>,
): Json {
  const input = call.input !== undefined && { input: call.input };
  if (call.allowed) work.actions.set(JSON.stringify(call.allowed), call.allowed);
  if (call.work) return { job: work.workJobs.add(name, call, limits), ...input };
  const timeout = call.service === 'http' && { timeout: limits.timeout };
  return { target: { ...call.target, ...timeout }, ...input, ...limits };
}

const isHttpOf = ({ target }: Json): boolean => isObject(target) && target.type === 'http';

/** A task whose failure may be handled, with its exits. */
export function caught(
  state: Translation,
  fields: Json,
  reads: ReadonlySet<string>,
  resultOf: (output: string) => Value,
): Exit[] {
  const { work, name, json, entered, remarks } = state;
  const handler = handlerOf(json, { isHttp: isHttpOf(fields) }, remarks);
  // A missing value fails an execution, and no handler takes that. It must not look like one of the call.
  const rendered = JSON.stringify(fields);
  const isRendered = [...reads].every((one) =>
    rendered.includes(JSON.stringify(`{{ ${one} }}`).slice(1, -1)),
  );
  const unseen = handler || !isRendered ? reads : new Set<string>();
  const way = work.tasks.guarded(`${name}-in`, unseen, entered.way);
  const id = work.tasks.add(name, { ...fields, ...(handler && { allowFailure: true }) }, way);
  const result = resultOf(`tasks.${id}.output`);
  if (!handler) return onward(state, [{ task: id }], result);
  const end = work.tasks.add(
    `${name}-end`,
    {
      switch: {
        on: `{{ tasks.${id}.status }}`,
        cases: [{ branch: 'failed', in: ['failed', 'cancelled'] }],
        default: 'succeeded',
      },
    },
    [{ task: id }],
  );
  const scope = new Scope(name);
  const error = unknown(`the error of ${name} is no value here: let the handler do without it`);
  const value = scope.placed(handler.resultPath, entered.value, error);
  const failed = work.tasks.guarded(`${name}-failed`, scope.reads, [{ task: end, branch: 'failed' }]);
  return [
    ...onward(state, [{ task: end, branch: 'succeeded' }], result),
    { to: handler.to, way: failed, value },
  ];
}
