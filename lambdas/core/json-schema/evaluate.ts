import { ASSERTIONS, type Assertion, isAbout } from './assertions';
import type { Schema } from './keywords';
import { type At, type Found, type Misfit, misfitOf, report } from './misfits';
import { resolveRef } from './references';
import { both, type Decide, type Evaluation, type Question, RULES, type Ruling } from './rules';

export type Fit = { is: 'fits' } | { is: 'unfit'; misfits: readonly Misfit[] } | { is: 'too-complex' };

/** Steps that one value may cost: some milliseconds. */
export const MAX_SCHEMA_STEPS = 100_000;
/** Steps that the words about an unfit value may cost, beyond those until its first misfit. */
const MAX_REPORT_STEPS = 20_000;
/** Schemas in schemas, those of references too. A payload has at most 32 levels. */
const MAX_NESTING = 400;

/**
 * Whether a value fits a schema that `checkSchema` has passed. Each keyword, compared value and reference
 * costs a step. What depends on a keyword that is not run counts as a fit: nothing is refused that the schema
 * may allow. The answer is sought without words first, as most misfits of branches are never shown.
 */
export function evaluate(schema: Schema, value: unknown, steps: number = MAX_SCHEMA_STEPS): Fit {
  const { ruling, left } = rulingOf(schema, value, steps, {});
  if (ruling === 'too-complex') return { is: ruling };
  if (ruling !== 'unfit') return { is: 'fits' };
  const misfits: Found[] = [];
  rulingOf(schema, value, steps - left + MAX_REPORT_STEPS, { misfits });
  return misfits.length > 0 ? { is: ruling, misfits: misfits.map(misfitOf) } : { is: 'too-complex' };
}

interface Ruled {
  ruling: Ruling | 'too-complex';
  /** Steps. */
  left: number;
}

function rulingOf(schema: Schema, value: unknown, steps: number, at: At): Ruled {
  const budget = { left: steps };
  try {
    const ruling = evaluationOf(schema, budget).check({ schema, value, at });
    return { ruling, left: budget.left };
  } catch (error) {
    if (error instanceof StepsSpent) return { ruling: 'too-complex', left: 0 };
    throw error;
  }
}

class StepsSpent extends Error {}

function evaluationOf(root: Schema, budget: { left: number }): Evaluation {
  const resolved = new Map<string, Schema>();
  let nesting = 0;
  const evaluation: Evaluation = {
    spend: (count) => {
      budget.left -= count;
      if (budget.left < 0) throw new StepsSpent();
    },
    resolve: (ref) => {
      const known = resolved.get(ref) ?? resolveRef(root, ref);
      resolved.set(ref, known);
      return known;
    },
    check: (question) => {
      evaluation.spend(1);
      if (typeof question.schema === 'boolean') return ofBoolean(question);
      if (++nesting > MAX_NESTING) throw new StepsSpent();
      const ruling = checkKeywords(question as Question<object>, evaluation);
      nesting--; // an error ends the whole evaluation
      return ruling;
    },
  };
  return evaluation;
}

const ofBoolean = ({ schema, at, by }: Question): Ruling =>
  schema === true
    ? 'fits'
    : report(at, by ?? 'false', () => (by === undefined ? 'is not allowed here' : 'is not a known field'));

function checkKeywords(question: Question<object>, evaluation: Evaluation): Ruling {
  const keywords = Object.keys(question.schema);
  evaluation.spend(keywords.length);
  let ruling: Ruling = 'fits';
  for (const keyword of keywords) {
    const decide = DECIDE.get(keyword);
    if (!decide) continue;
    ruling = both(ruling, decide(question, evaluation, keyword));
    if (ruling === 'unfit' && !question.at.misfits) break;
  }
  return ruling;
}

const asserting =
  (assertion: Assertion): Decide =>
  ({ schema, value, at }, { spend }, keyword) => {
    if (!isAbout(assertion, value)) return 'fits';
    const argument = schema[keyword] as never;
    const holds = assertion.holds(argument, value as never, spend);
    if (holds === undefined) return 'unknown';
    return holds ? 'fits' : report(at, keyword, () => assertion.says(argument, value));
  };

const DECIDE: ReadonlyMap<string, Decide> = new Map([
  ...Object.entries(ASSERTIONS).map(([keyword, assertion]) => [keyword, asserting(assertion)] as const),
  ...Object.entries(RULES),
]);
