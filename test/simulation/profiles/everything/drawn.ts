import type { FakeRandom } from '../../../support/fake-random';

export type Body = Record<string, unknown>;

/** A value, with a probability. A field whose value is undefined is left out. */
export const maybe = <Value>(random: FakeRandom, probability: number, draw: () => Value): Value | undefined =>
  random.fraction() < probability ? draw() : undefined;

/** Without the fields that were not drawn. */
export const given = (fields: Body): Body =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Draws the value of each field; undefined: the field is left out. */
export type FieldDraws<Field extends string> = Record<Field, () => unknown>;

export const drawFields = <Field extends string>(draws: FieldDraws<Field>): Body =>
  given(Object.fromEntries(Object.entries<() => unknown>(draws).map(([name, draw]) => [name, draw()])));
