import { isJsonObject, type Schema } from './keywords';
import { type At, below, type Found, report, reportBranches } from './misfits';

/** `unknown`: it depends on a keyword that is not run. */
export type Ruling = 'fits' | 'unfit' | 'unknown';

/** Whether a value fits a schema. */
export interface Question<S = Schema> {
  schema: S extends object ? Exclude<Schema, boolean> : Schema;
  value: unknown;
  at: At;
  /** The keyword that holds the schema, if it names what may not be there. */
  by?: string;
}

/** The check of one value. Its methods throw once its steps are spent. */
export interface Evaluation {
  spend(steps: number): void;
  resolve(ref: string): Schema;
  check(question: Question): Ruling;
}

/** What one keyword of a schema says of a value. */
export type Decide = (question: Question<object>, evaluation: Evaluation, keyword: string) => Ruling;

export const both = (a: Ruling, b: Ruling): Ruling => {
  if (a === 'unfit' || b === 'unfit') return 'unfit';
  return a === 'unknown' || b === 'unknown' ? 'unknown' : 'fits';
};

const opposite: Record<Ruling, Ruling> = { fits: 'unfit', unfit: 'fits', unknown: 'unknown' };

const SILENT: At = {};
const silently = (schema: unknown, value: unknown, evaluation: Evaluation): Ruling =>
  evaluation.check({ schema: schema as Schema, value, at: SILENT });

/** A first misfit ends what reports none. */
const isOver = (ruling: Ruling, { misfits }: At): boolean => ruling === 'unfit' && !misfits;

type Fields = Readonly<Record<string, unknown>>;
/** A rule about fields says nothing of other values. */
const ofObject =
  (decide: (question: Question<object>, value: Fields, evaluation: Evaluation) => Ruling): Decide =>
  (question, evaluation) =>
    isJsonObject(question.value) ? decide(question, question.value, evaluation) : 'fits';

function reportAbsent(
  names: readonly string[],
  value: Fields,
  reportOne: (name: string) => Ruling,
  { spend }: Evaluation,
): Ruling {
  let ruling: Ruling = 'fits';
  for (const name of names) {
    spend(1);
    if (!Object.hasOwn(value, name)) ruling = reportOne(name);
  }
  return ruling;
}

/** The parts of a map whose fields a value has. */
function presentIn<Part>(map: unknown, value: Fields, { spend }: Evaluation): [name: string, part: Part][] {
  const all = Object.entries(map as Record<string, Part>);
  spend(all.length);
  return all.filter(([name]) => Object.hasOwn(value, name));
}

function namesOf(value: Fields, { spend }: Evaluation): string[] {
  const names = Object.keys(value);
  spend(names.length);
  return names;
}

/** How many schemas of a list a value fits, and how many it may fit. */
function fitting({ schema, value, at }: Question<object>, evaluation: Evaluation, keyword: string) {
  const branches: Found[][] = [];
  let [fits, unknown] = [0, 0];
  for (const branch of schema[keyword] as Schema[]) {
    const misfits: Found[] | undefined = at.misfits && [];
    if (misfits) branches.push(misfits);
    const ruling = evaluation.check({ schema: branch, value, at: misfits ? { ...at, misfits } : at });
    if (ruling === 'fits') fits++;
    else if (ruling === 'unknown') unknown++;
  }
  return { fits, unknown, branches };
}

const ofFields = ofObject(({ schema, at }, value, evaluation) => {
  let ruling: Ruling = 'fits';
  for (const [name, inner] of presentIn<Schema>(schema.properties, value, evaluation)) {
    ruling = both(ruling, evaluation.check({ schema: inner, value: value[name], at: below(at, name) }));
    if (isOver(ruling, at)) break;
  }
  return ruling;
});

function ofItems({ schema, value, at }: Question<object>, evaluation: Evaluation, keyword: string): Ruling {
  if (!Array.isArray(value)) return 'fits';
  const firsts = (schema.prefixItems ?? []) as Schema[];
  const isRest = keyword === 'items';
  const end = isRest ? value.length : Math.min(firsts.length, value.length);
  let ruling: Ruling = 'fits';
  for (let index = isRest ? firsts.length : 0; index < end; index++) {
    const inner = isRest ? (schema.items as Schema) : firsts[index]!;
    ruling = both(ruling, evaluation.check({ schema: inner, value: value[index], at: below(at, index) }));
    if (isOver(ruling, at)) break;
  }
  return ruling;
}

/** By their keywords. One that is missing here is an assertion, or says nothing by itself. */
export const RULES: Readonly<Record<string, Decide>> = {
  pattern: ({ value }) => (typeof value === 'string' ? 'unknown' : 'fits'),
  patternProperties: ({ value }) => (isJsonObject(value) ? 'unknown' : 'fits'),
  $ref: ({ schema, value, at }, evaluation) =>
    evaluation.check({ schema: evaluation.resolve(schema.$ref as string), value, at }),
  allOf: ({ schema, value, at }, evaluation) => {
    let ruling: Ruling = 'fits';
    for (const inner of schema.allOf as Schema[]) {
      ruling = both(ruling, evaluation.check({ schema: inner, value, at }));
      if (isOver(ruling, at)) break;
    }
    return ruling;
  },
  anyOf: (question, evaluation, keyword) => {
    const { fits, unknown, branches } = fitting(question, evaluation, keyword);
    if (fits > 0) return 'fits';
    return unknown > 0 ? 'unknown' : reportBranches(question.at, keyword, branches);
  },
  oneOf: (question, evaluation, keyword) => {
    const { fits, unknown, branches } = fitting(question, evaluation, keyword);
    if (fits > 1)
      return report(question.at, keyword, () => `must fit only one of the schemas of oneOf, not ${fits}`);
    if (unknown > 0) return 'unknown';
    return fits === 1 ? 'fits' : reportBranches(question.at, keyword, branches);
  },
  not: ({ schema, value, at }, evaluation) => {
    const ruling = opposite[silently(schema.not, value, evaluation)];
    return ruling === 'unfit' ? report(at, 'not', () => 'must not fit the schema of not') : ruling;
  },
  if: conditional,
  required: ofObject(({ schema, at }, value, evaluation) =>
    reportAbsent(
      schema.required as string[],
      value,
      (name) => report(below(at, name), 'required', () => 'is required'),
      evaluation,
    ),
  ),
  dependentRequired: ofObject(({ schema, at }, value, evaluation) => {
    let ruling: Ruling = 'fits';
    for (const [name, names] of presentIn<string[]>(schema.dependentRequired, value, evaluation)) {
      const says = () => `is required beside ${JSON.stringify(name)}`;
      const reportOne = (other: string) => report(below(at, other), 'dependentRequired', says);
      ruling = both(ruling, reportAbsent(names, value, reportOne, evaluation));
    }
    return ruling;
  }),
  dependentSchemas: ofObject(({ schema, at }, value, evaluation) => {
    let ruling: Ruling = 'fits';
    for (const [, inner] of presentIn<Schema>(schema.dependentSchemas, value, evaluation))
      ruling = both(ruling, evaluation.check({ schema: inner, value, at }));
    return ruling;
  }),
  properties: ofFields,
  additionalProperties: ofObject(additionalProperties),
  propertyNames: ofObject(({ schema, at }, value, evaluation) => {
    let ruling: Ruling = 'fits';
    for (const name of namesOf(value, evaluation)) {
      const one = silently(schema.propertyNames, name, evaluation);
      ruling = both(ruling, one);
      if (one === 'unfit') report(below(at, name), 'propertyNames', () => 'is not allowed as a name');
    }
    return ruling;
  }),
  prefixItems: ofItems,
  items: ofItems,
  contains,
};

function conditional({ schema, value, at }: Question<object>, evaluation: Evaluation): Ruling {
  const { then = true, else: otherwise = true } = schema as Record<string, Schema>;
  const ruling = silently(schema.if, value, evaluation);
  if (ruling !== 'unknown')
    return evaluation.check({ schema: ruling === 'fits' ? then : otherwise, value, at });
  const rulings = [then, otherwise].map((one) => silently(one, value, evaluation));
  if (rulings.every((one) => one === 'unfit')) return evaluation.check({ schema: then, value, at });
  return rulings.every((one) => one === 'fits') ? 'fits' : 'unknown';
}

/** Beside patterns, a name that one of them may match is not decided here. */
function additionalProperties(
  { schema, at }: Question<object>,
  value: Fields,
  evaluation: Evaluation,
): Ruling {
  const by = 'additionalProperties';
  const isOpen = schema.patternProperties !== undefined;
  let ruling: Ruling = 'fits';
  for (const name of namesOf(value, evaluation)) {
    if (Object.hasOwn((schema.properties ?? {}) as object, name)) continue;
    const position = isOpen ? SILENT : below(at, name);
    const one = evaluation.check({ schema: schema[by] as Schema, value: value[name], at: position, by });
    ruling = both(ruling, isOpen && one === 'unfit' ? 'unknown' : one);
    if (isOver(ruling, at)) break;
  }
  return ruling;
}

function contains({ schema, value, at }: Question<object>, evaluation: Evaluation): Ruling {
  if (!Array.isArray(value)) return 'fits';
  const { minContains: least = 1, maxContains: most = Infinity } = schema as Record<string, number>;
  let [fits, unknown] = [0, 0];
  for (const item of value) {
    const one = silently(schema.contains, item, evaluation);
    if (one === 'fits') fits++;
    else if (one === 'unknown') unknown++;
  }
  const mayFit = fits + unknown;
  if (mayFit < least)
    return report(at, 'contains', () => `must have at least ${least} items that fit contains, not ${mayFit}`);
  if (fits > most)
    return report(at, 'maxContains', () => `must have at most ${most} items that fit contains, not ${fits}`);
  return fits >= least && mayFit <= most ? 'fits' : 'unknown';
}
