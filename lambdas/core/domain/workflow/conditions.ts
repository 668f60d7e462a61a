import { isDeepStrictEqual } from 'node:util';

import type { Renderer } from '../../templates/render';
import type { Json } from '../../templates/syntax';
import { shown, TemplateError } from '../../templates/template-error';
import { branchesOf, type Comparison, type Condition, type Switch, type ValueCondition } from './definition';

/** Whether a condition holds. Throws `TemplateError` if a value is missing, or is no number where it must. */
export function holds(condition: Condition, renderer: Renderer): boolean {
  if ('all' in condition) return condition.all.every((one) => isSatisfied(one, renderer));
  if ('any' in condition) return condition.any.some((one) => isSatisfied(one, renderer));
  return isSatisfied(condition, renderer);
}

/** Index, in `branchesOf`, of the branch that a switch takes. Throws `TemplateError`. */
export function branchTaken(chosen: Switch, renderer: Renderer): number {
  const value = renderer.optional(chosen.on);
  const taken = chosen.cases.find((one) => compares(value, one, chosen.on));
  return branchesOf(chosen).indexOf(taken?.branch ?? chosen.default);
}

const isSatisfied = ({ value, ...comparison }: ValueCondition, renderer: Renderer): boolean =>
  compares(renderer.optional(value), comparison, value);

const ORDERS = {
  gt: (value: number, bound: number) => value > bound,
  gte: (value: number, bound: number) => value >= bound,
  lt: (value: number, bound: number) => value < bound,
  lte: (value: number, bound: number) => value <= bound,
} as const;

/** @param template for the text of a fault */
function compares(value: Json | undefined, comparison: Comparison, template: string): boolean {
  const { exists, equals, notEquals, in: among } = comparison;
  if (exists !== undefined && exists !== (value !== undefined)) return false;
  if (value === undefined) {
    if (exists === false) return true;
    throw new TemplateError(`${template} has no value; "exists" or the filter default would allow that`);
  }
  if (equals !== undefined && !isDeepStrictEqual(value, equals)) return false;
  if (notEquals !== undefined && isDeepStrictEqual(value, notEquals)) return false;
  if (among && !among.some((one) => isDeepStrictEqual(value, one))) return false;
  return Object.entries(ORDERS).every(([name, isInOrder]) => {
    const bound = comparison[name as keyof typeof ORDERS];
    if (bound === undefined) return true;
    if (typeof value === 'number') return isInOrder(value, bound);
    throw new TemplateError(`${template} is ${shown(value)}, and "${name}" needs a number`);
  });
}
