import { isObject } from '../../is-object';

/** A field of the Amazon States Language has no counterpart. The message says why. */
export class Unmapped extends Error {
  override readonly name = 'Unmapped';
}

export type Json = Record<string, unknown>;

/** A state, and what leads to it. */
export interface State {
  name: string;
  json: Json;
  /** What leads to it; empty: it is the first one. */
  from: Edge[];
}

/** `branch`: of a choice. `caught`: it handles the failure. */
export interface Edge {
  state: string;
  branch?: string;
  caught?: true;
}

export const textOf = (json: Json, field: string): string | undefined =>
  typeof json[field] === 'string' ? json[field] : undefined;
export const listOf = (json: Json, field: string): Json[] =>
  Array.isArray(json[field]) ? (json[field] as unknown[]).filter(isObject) : [];

/** The name of the branch that a rule of a choice takes: its position. */
export const branchOf = (index: number): string => `case-${index + 1}`;
export const DEFAULT_BRANCH = 'default';

/** Throws `Unmapped`, also for a machine in JSONata, and for one whose states form a loop. */
export function statesOf(machine: Json): State[] {
  if (machine.QueryLanguage === 'JSONata') throw new Unmapped('it uses JSONata; only JSONPath is translated');
  const states = isObject(machine.States) ? machine.States : undefined;
  const start = textOf(machine, 'StartAt');
  if (!states || start === undefined || !isObject(states[start]))
    throw new Unmapped('it is no state machine: expected States, and StartAt that names one of them');
  const found = new Map<string, State>();
  const visit = (name: string, from: Edge | undefined, path: readonly string[]): void => {
    if (path.includes(name))
      throw new Unmapped(`${path.at(-1)!} leads back to ${name}: a run of a workflow has no loops`);
    const json = states[name];
    if (!isObject(json))
      throw new Unmapped(`${path.at(-1) ?? 'StartAt'} leads to ${name}, which is no state`);
    const known = found.get(name);
    const state = known ?? { name, json, from: [] };
    if (from && !state.from.some((edge) => JSON.stringify(edge) === JSON.stringify(from)))
      state.from.push(from);
    if (known) return checkLoops(name, [...path]);
    found.set(name, state);
    for (const { to, ...edge } of leadsTo(name, json, states)) visit(to, edge, [...path, name]);
  };
  const checkLoops = (name: string, path: string[]): void => {
    for (const { to } of leadsTo(name, states[name] as Json, states)) {
      if (path.includes(to))
        throw new Unmapped(`${name} leads back to ${to}: a run of a workflow has no loops`);
      checkLoops(to, [...path, name]);
    }
  };
  visit(start, undefined, []);
  return inOrder([...found.values()]);
}

function leadsTo(state: string, json: Json, states: Json): (Edge & { to: string })[] {
  const next = textOf(json, 'Next');
  const rules = listOf(json, 'Choices').map((rule, index) => ({
    to: textOf(rule, 'Next'),
    branch: branchOf(index),
  }));
  const otherwise = textOf(json, 'Default');
  const isFail = (name: string | undefined) =>
    name !== undefined && isObject(states[name]) && states[name].Type === 'Fail';
  // A failure that leads to Fail fails the run without a handler, too.
  const handlers = listOf(json, 'Catch')
    .map((one) => textOf(one, 'Next'))
    .filter((one) => !isFail(one));
  return [
    ...(next === undefined ? [] : [{ state, to: next }]),
    ...rules.flatMap(({ to, branch }) => (to === undefined ? [] : [{ state, to, branch }])),
    ...(otherwise === undefined ? [] : [{ state, to: otherwise, branch: DEFAULT_BRANCH }]),
    ...handlers.flatMap((to) => (to === undefined ? [] : [{ state, to, caught: true as const }])),
  ];
}

/** Each state after all that lead to it. */
function inOrder(states: readonly State[]): State[] {
  const ordered: State[] = [];
  const done = new Set<string>();
  for (let left = [...states]; left.length > 0; left = left.filter(({ name }) => !done.has(name)))
    for (const state of left.filter(({ from }) => from.every((edge) => done.has(edge.state)))) {
      done.add(state.name);
      ordered.push(state);
    }
  return ordered;
}
