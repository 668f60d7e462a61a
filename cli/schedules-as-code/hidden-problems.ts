import { type BatchOutcome, type FieldProblem, problemOf } from '../../client';
import { isObject } from '../is-object';
import type { Definition } from './definition';

/** As many layers as the API has: shapes, rules between fields, meanings. */
const MAX_ROUNDS = 3;
/** How the API begins to say that a field is superfluous. */
const UNKNOWN = 'is not a known field';
/** A target that every deployment accepts. */
const SOUND_TARGET = { type: 'worker', queue: 'any' };

/**
 * The problems of a job that the API does not reach because of the known ones. It is asked again, without
 * the fields that are rejected already. What it then says of these fields follows from their absence, and is
 * left out.
 */
export async function hiddenProblems(
  known: readonly FieldProblem[],
  ask: (definition: Definition) => Promise<BatchOutcome>,
  definition: Definition,
): Promise<FieldProblem[]> {
  const found: FieldProblem[] = [];
  const rest = structuredClone(definition);
  let fresh: readonly FieldProblem[] = known;
  for (let round = 0; round < MAX_ROUNDS && fresh.length > 0; round++) {
    for (const problem of fresh) leaveOut(rest, problem);
    const outcome = await ask(rest);
    const earlier = [...known, ...found];
    const { errors } = problemOf(outcome.status, outcome.problem);
    fresh = outcome.job ? [] : errors.filter((error) => !earlier.some((one) => isOf(error, one)));
    found.push(...fresh);
  }
  return found;
}

/** It is of the same field, of one around or in it, or of another because it is absent. */
function isOf({ path, message }: FieldProblem, { path: known }: FieldProblem): boolean {
  const names = known.split('.').filter((name) => !/^\d*$/.test(name));
  const isNear = `${path}.`.startsWith(`${known}.`) || `${known}.`.startsWith(`${path}.`);
  return isNear || names.some((name) => message.split(/[^A-Za-z0-9_-]+/).includes(name));
}

/** Takes a rejected field away. What a job cannot do without is replaced by what every deployment accepts. */
function leaveOut(definition: Definition, { path, message }: FieldProblem): void {
  const [first = '', ...below] = path.split('.');
  if (first === 'schedule') definition.schedule = { type: 'none' };
  else if (first === 'target' && !message.startsWith(UNKNOWN)) definition.target = { ...SOUND_TARGET };
  else removeAt(definition, [first, ...below]);
}

function removeAt(value: unknown, [name = '', ...below]: string[]): void {
  if (!isObject(value) && !Array.isArray(value)) return;
  const fields = value as Record<string, unknown>;
  if (below.length > 0) removeAt(fields[name], below);
  else if (!Array.isArray(value)) delete fields[name];
}
