import { type Document, expressionOf } from './document';
import { branchOf, DEFAULT_BRANCH, type Json, listOf, textOf, Unmapped } from './machine';

const COMPARISONS: Readonly<Record<string, string>> = {
  StringEquals: 'equals',
  NumericEquals: 'equals',
  BooleanEquals: 'equals',
  NumericGreaterThan: 'gt',
  NumericGreaterThanEquals: 'gte',
  NumericLessThan: 'lt',
  NumericLessThanEquals: 'lte',
  IsPresent: 'exists',
};

/** The switch of a Choice, if all of its rules compare one value. Throws `Unmapped`. */
export function switchOf(json: Json, document: Document): Json {
  const rules = listOf(json, 'Choices');
  const variables = new Set(rules.map((rule) => textOf(rule, 'Variable')));
  const [variable] = variables;
  if (variables.size !== 1 || variable === undefined)
    throw new Unmapped('its rules compare several values, or use And, Or or Not: a switch has one value');
  return {
    on: `{{ ${expressionOf(variable, document)} }}`,
    cases: rules.map((rule, index) => ({ branch: branchOf(index), ...comparisonOf(rule) })),
    default: DEFAULT_BRANCH,
  };
}

function comparisonOf(rule: Json): Json {
  const found = Object.keys(rule).filter(
    (name) => name !== 'Variable' && name !== 'Next' && name !== 'Comment',
  );
  const [name = ''] = found;
  const comparison = COMPARISONS[name];
  if (found.length === 1 && comparison !== undefined) return { [comparison]: rule[name] };
  throw new Unmapped(`the comparison ${found.join(', ')} has no counterpart`);
}
