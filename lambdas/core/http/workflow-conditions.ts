import * as z from 'zod/mini';

import { MAX_CASES } from '../domain/workflow/definition';
import { described, textUpTo } from './fields';

export const MAX_TEMPLATE = 4_096;
const MAX_CONDITIONS = 20;
const COMPARISONS = ['equals', 'notEquals', 'in', 'gt', 'gte', 'lt', 'lte', 'exists'] as const;

const comparison = {
  equals: z.optional(z.unknown()),
  notEquals: z.optional(z.unknown()),
  in: z.optional(z.array(z.unknown()).check(z.minLength(1, 'must not be empty'))),
  gt: z.optional(z.number()),
  gte: z.optional(z.number()),
  lt: z.optional(z.number()),
  lte: z.optional(z.number()),
  exists: described(z.optional(z.boolean()), {
    description: 'Whether there is a value. Without this field, a missing value fails the task.',
  }),
};

const compares = z.superRefine((given: object, context) => {
  if (COMPARISONS.some((name) => name in given)) return;
  context.addIssue(`must have one of ${COMPARISONS.join(', ')}`);
});

const Template = () =>
  described(textUpTo(MAX_TEMPLATE), { description: 'A template, such as `{{ params.full }}`.' });

const ValueCondition = z.strictObject({ value: Template(), ...comparison }).check(compares);
const conditions = () =>
  z.optional(
    z
      .array(ValueCondition)
      .check(
        z.minLength(1, 'must not be empty'),
        z.maxLength(MAX_CONDITIONS, `must have at most ${MAX_CONDITIONS} conditions`),
      ),
  );

/** One value and its comparison, or a list of such conditions. */
export const ConditionBody = described(
  z
    .strictObject({ value: z.optional(Template()), ...comparison, all: conditions(), any: conditions() })
    .check(
      z.superRefine((given, context) => {
        const forms = (['value', 'all', 'any'] as const).filter((name) => given[name] !== undefined);
        if (forms.length !== 1) context.addIssue('must have exactly one of value, all and any');
        const compared = COMPARISONS.filter((name) => name in given);
        if (forms[0] === 'value' && compared.length === 0)
          context.addIssue(`must have one of ${COMPARISONS.join(', ')}`);
        if (forms[0] === 'value') return;
        for (const name of compared)
          context.addIssue({ code: 'custom', path: [name], message: 'is only allowed beside value' });
      }),
    ),
  {
    id: 'Condition',
    description: 'A value and what it is compared with, or `all` or `any` of such conditions.',
  },
);

const Branch = z
  .string()
  .check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$/, 'must be 1 to 48 letters, digits, "_" or "-"'));

export const SwitchBody = described(
  z.strictObject({
    on: Template(),
    cases: described(
      z
        .array(z.strictObject({ branch: Branch, ...comparison }).check(compares))
        .check(
          z.minLength(1, 'must not be empty'),
          z.maxLength(MAX_CASES, `must have at most ${MAX_CASES} cases`),
        ),
      { description: 'The first case that holds decides.' },
    ),
    default: Branch,
  }),
  { id: 'Switch', description: 'Takes a branch, by the value of a template.' },
);
