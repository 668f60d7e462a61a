import { isObject } from '../../is-object';
import { type Json, objectsIn, textIn, Unmapped } from '../json';

export interface State {
  name: string;
  json: Json;
}

/**
 * The states that can be reached, each after all that lead to it. Throws `Unmapped` for a machine whose
 * states form a loop: it cannot be imported, nor any part of it.
 */
export function statesOf(machine: Json): State[] {
  const states = isObject(machine.States) ? machine.States : undefined;
  const start = machine.StartAt;
  if (!states || typeof start !== 'string' || !isObject(states[start]))
    throw new Unmapped('it is no state machine: expected States, and StartAt that names one of them');
  const done = new Map<string, State>();
  const path = new Set<string>();
  const visit = (name: string, from: string): void => {
    if (path.has(name)) throw new Unmapped(`${from} leads back to ${name}: a run of a workflow has no loops`);
    if (done.has(name)) return;
    const json = Object.hasOwn(states, name) ? states[name] : undefined;
    if (!isObject(json)) throw new Unmapped(`${from} leads to ${name}, which is no state`);
    path.add(name);
    for (const to of leadsTo(name, json)) visit(to, name);
    path.delete(name);
    done.set(name, { name, json });
  };
  visit(start, 'StartAt');
  return [...done.values()].toReversed();
}

function leadsTo(name: string, json: Json): string[] {
  const { Type: type, Next: next, End: end } = json;
  const isLast = type === 'Choice' || type === 'Succeed' || type === 'Fail';
  if (!isLast && (next === undefined) !== (end === true))
    throw new Unmapped(`${name} needs Next, or an End that is true`);
  const several = [...objectsIn(json, 'Choices'), ...objectsIn(json, 'Catch')];
  const all = [textIn(json, 'Next'), ...several.map((one) => textIn(one, 'Next')), textIn(json, 'Default')];
  return all.filter((one) => one !== undefined);
}

/** The names of states that nothing leads to. */
export const unreachedIn = (machine: Json, states: readonly State[]): string[] =>
  Object.keys(isObject(machine.States) ? machine.States : {}).filter(
    (name) => !states.some((one) => one.name === name),
  );
