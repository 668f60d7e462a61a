import { isObject } from '../../is-object';
import { conditionOf } from './choice';
import { decide } from './decide';
import {
  calledBy,
  caught,
  checkLanguage,
  type Exit,
  limitsOf,
  noteIn,
  onward,
  type Passage,
  type Translation,
  type Work,
} from './exits';
import { fanOutOf } from './fan-out';
import { faultsOf, type Kind } from './fields';
import { type Json, neededText, numberIn, objectsIn, textIn, Unmapped } from '../json';
import type { Remarks } from './limits';
import { type State, statesOf, unreachedIn } from './machine';
import { Scope } from './scope';
import { callOf, hasNoBody, textOfFail } from './task';
import { eitherOf, MAX_RUN_SEC, noteOf, type Way } from './tasks';
import { literalOf, merged, renderedOf, unknown, type Value } from './value';

/** Adds the tasks of a machine, or of a branch. Undefined: it never ends well. */
export function statesInto(work: Work, machine: Json, kind: Kind, start: Passage): Passage | undefined {
  const states = statesOf(machine);
  const faults = faultsOf(kind, machine);
  if (faults.length > 0) throw new Unmapped(faults.join('; '));
  checkLanguage(machine);
  for (const name of unreachedIn(machine, states)) work.notes.push(`${name}: nothing leads to it`);
  const entries = new Map<string, Passage[]>([[neededText(machine, 'StartAt'), [start]]]);
  const ends: Passage[] = [];
  const failures: Way[] = [];
  for (const state of states) {
    const from = entries.get(state.name) ?? [];
    const way = eitherOf(from.map((one) => one.way));
    if (way === undefined) continue;
    const entered = { way, value: merged(from.map((one) => one.value)) };
    for (const { to, failed, ...passage } of stateInto(work, state, entered))
      if (failed) failures.push(passage.way);
      else if (to === undefined) ends.push(passage);
      else entries.set(to, [...(entries.get(to) ?? []), passage]);
  }
  if (ends.length + failures.length === 0) return undefined;
  // What comes after a branch must not start once the branch has failed: it depends on that, too.
  const way = eitherOf([...ends.map((one) => one.way), ...failures])!;
  return { way, value: merged(ends.map((one) => one.value)) };
}

function stateInto(work: Work, { name, json }: State, entered: Passage): Exit[] {
  const remarks: Remarks = {
    note: (text) => work.notes.push(`${name}: ${text}`),
    differs: (reason) => work.refused.push({ state: name, reason }),
  };
  try {
    const type = textIn(json, 'Type') ?? '';
    if (!Object.hasOwn(TYPES, type)) throw new Unmapped(`the type ${JSON.stringify(json.Type)} is not known`);
    checkLanguage(json);
    const faults = faultsOf(type as Kind, json);
    if (faults.length > 0) throw new Unmapped(faults.join('; '));
    return TYPES[type as keyof typeof TYPES]({ work, name, json, entered, remarks });
  } catch (error) {
    if (!(error instanceof Unmapped)) throw error;
    remarks.differs(error.message);
    return placeholder(work, { name, json }, entered, error.message);
  }
}

/** In place of a state without a counterpart: what comes after it follows on a task that does nothing. */
function placeholder(work: Work, { name, json }: State, { way }: Passage, reason: string): Exit[] {
  const note = noteOf(`not imported: ${reason}`);
  const value = unknown(`${name}, whose output it needs, is not imported`);
  const leads = [json.Next, json.Default, ...objectsOf(json.Choices).map((one) => one.Next)];
  const next = leads.filter((one) => typeof one === 'string');
  const left = [{ task: work.tasks.add(name, { note }, way) }];
  return next.length === 0 ? [{ way: left, value }] : next.map((to) => ({ to, way: left, value }));
}

const objectsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

const TYPES = {
  Pass(state: Translation): Exit[] {
    const { work, name, json, entered } = state;
    const scope = new Scope(name);
    const input = scope.selected(json, 'InputPath', entered.value);
    const given = json.Parameters === undefined ? input : scope.template(json.Parameters, input);
    const result = json.Result === undefined ? given : literalOf(json.Result);
    const guarded = work.tasks.guarded(`${name}-in`, scope.reads, entered.way);
    return onward(state, [{ task: work.tasks.add(name, noteIn(state), guarded) }], result);
  },

  Succeed(state: Translation): Exit[] {
    const { work, name, json, entered } = state;
    const scope = new Scope(name);
    const input = scope.selected(json, 'InputPath', entered.value);
    const value = scope.selected(json, 'OutputPath', input);
    const way = work.tasks.guarded(`${name}-in`, scope.reads, entered.way);
    return [{ way, value }];
  },

  Fail({ work, name, json, entered }: Translation): Exit[] {
    const text = textOfFail(json, new Scope(name), entered.value);
    const task = work.tasks.addFailure(name, text, entered.way);
    return [{ way: [{ task }], value: unknown('a state that fails has no output'), failed: true }];
  },

  Wait(state: Translation): Exit[] {
    const { work, name, json, entered } = state;
    const scope = new Scope(name);
    const input = scope.selected(json, 'InputPath', entered.value);
    const time = timeOf(json, input, scope);
    const guarded = work.tasks.guarded(`${name}-in`, scope.reads, entered.way);
    const task = work.tasks.add(name, { ...noteIn(state), ...time }, guarded);
    return onward(state, [{ task }], input, { effective: true });
  },

  Choice({ work, name, json, entered }: Translation): Exit[] {
    const scope = new Scope(name);
    const input = scope.selected(json, 'InputPath', entered.value);
    const rules = objectsIn(json, 'Choices');
    if (rules.length === 0) throw new Unmapped('it has no Choices');
    // A rule that is not reached needs no value: the switch itself fails where one is missing.
    const conditions = rules.map((rule) => conditionOf(rule, input, new Scope(name)));
    const targets = rules.map((rule) => neededText(rule, 'Next'));
    const value = scope.selected(json, 'OutputPath', input);
    const guarded = work.tasks.guarded(`${name}-in`, scope.reads, entered.way);
    const { rules: ways, none } = decide(work.tasks, name, conditions, guarded);
    const exits = ways.flatMap((way, index): Exit[] => (way ? [{ to: targets[index], way, value }] : []));
    const otherwise = textIn(json, 'Default');
    if (none === undefined) return exits;
    if (otherwise !== undefined) return [...exits, { to: otherwise, way: none, value }];
    const task = work.tasks.addFailure(`${name}-none`, 'States.NoChoiceMatched', none);
    return [...exits, { way: [{ task }], value, failed: true }];
  },

  Task(state: Translation): Exit[] {
    const { work, name, json, entered, remarks } = state;
    const scope = new Scope(name);
    const effective = scope.selected(json, 'InputPath', entered.value);
    const call = callOf(json, effective, scope, { remarks, place: work.place });
    if (hasNoBody(call)) work.withoutBody.push(name);
    const fields = { ...noteIn(state), ...calledBy(state, call, limitsOf(json, call, remarks)) };
    return caught(state, fields, scope.reads, call.resultOf);
  },

  Parallel(state: Translation): Exit[] {
    const { work, name, json, entered, remarks } = state;
    const scope = new Scope(name);
    const effective = scope.selected(json, 'InputPath', entered.value);
    const value = json.Parameters === undefined ? effective : scope.template(json.Parameters, effective);
    const branches = objectsIn(json, 'Branches');
    if (branches.length === 0) throw new Unmapped('it has no Branches');
    if (objectsIn(json, 'Retry').length > 0)
      remarks.differs('Retry repeats all branches: here, tasks are retried');
    if (objectsIn(json, 'Catch').length > 0)
      remarks.differs(
        'Catch abandons the other branches and goes on: here, a failure within it fails the run',
      );
    const way = work.tasks.guarded(`${name}-in`, scope.reads, entered.way);
    const ends = branches.map((branch, index) => {
      const end = statesInto(work, branch, 'branch', { way, value });
      return end && { ...end, way: work.tasks.joined(`${name}-${index + 1}`, end.way) };
    });
    const all = ends.map((end) => end?.value ?? unknown('a branch that fails has no output'));
    const task = work.tasks.add(name, noteIn(state), eitherOf(ends.map((end) => end?.way)) ?? []);
    return onward(state, [{ task }], { kind: 'list', items: all });
  },

  Map(state: Translation): Exit[] {
    const { name, json, entered, remarks } = state;
    const scope = new Scope(name);
    const input = scope.selected(json, 'InputPath', entered.value);
    const fields = fanOutOf(state, input, scope);
    if (objectsIn(json, 'Retry').length > 0)
      remarks.differs('Retry repeats all items: here, items are retried');
    return caught(state, fields.task, scope.reads, fields.resultOf);
  },
};

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

function timeOf(json: Json, input: Value, scope: Scope): Json {
  const seconds = numberIn(json, 'Seconds', { least: 0 });
  const path = textIn(json, 'TimestampPath');
  const given = [seconds, json.Timestamp, path].filter((one) => one !== undefined);
  if (given.length !== 1) throw new Unmapped('it needs one of Seconds, Timestamp and TimestampPath');
  if (seconds !== undefined) {
    if (seconds > MAX_RUN_SEC) throw new Unmapped(`it waits for ${seconds} s, and a run has at most 30 days`);
    return seconds === 0 ? {} : { delay: `${seconds}s` };
  }
  const time = path === undefined ? textIn(json, 'Timestamp') : renderedOf(scope.path(path, input));
  if (typeof time === 'string' && (time.startsWith('{{ ') || INSTANT.test(time))) return { notBefore: time };
  throw new Unmapped(`${JSON.stringify(time)} is not a time as 2026-12-01T08:00:00Z`);
}
