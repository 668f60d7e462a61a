/**
 * Expressions are named strings, joined at the end. In each of them `#name` means the attribute `name`, so
 * that reserved words are no problem. DynamoDB rejects names and values that an expression does not use.
 */
export const allOf = (...conditions: readonly string[]): string =>
  conditions.length === 1 ? conditions[0]! : conditions.map((condition) => `(${condition})`).join(' AND ');

export const anyOf = (...conditions: readonly string[]): string =>
  conditions.length === 1 ? conditions[0]! : conditions.map((condition) => `(${condition})`).join(' OR ');

/** `ExpressionAttributeNames` for every `#name` in the given expressions. */
export function namesIn(...expressions: readonly string[]): Record<string, string> {
  const spelled = expressions.join(' ');
  let names = namesOf.get(spelled);
  if (!names) namesOf.set(spelled, (names = findNames(spelled)));
  return names;
}

/** One for each kind of access (a few dozen), and for each set of cursors that move together. */
const namesOf = new Map<string, Record<string, string>>();

const findNames = (spelled: string): Record<string, string> =>
  Object.fromEntries([...spelled.matchAll(/#\w+/g)].map(([token]) => [token, token.slice(1)]));

/** `:prefix0, :prefix1, …` for an IN list, with its values. */
export function listOf(
  prefix: string,
  values: readonly unknown[],
): { list: string; values: Record<string, unknown> } {
  const tokens = values.map((_, index) => `:${prefix}${index}`);
  return {
    list: tokens.join(', '),
    values: Object.fromEntries(tokens.map((token, index) => [token, values[index]])),
  };
}

/** The parts of a SET clause that assign plain values to attributes. Undefined values are left out. */
export function assignments(attributes: Readonly<Record<string, unknown>>): {
  clauses: string[];
  values: Record<string, unknown>;
} {
  const clauses: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    clauses.push(`#${name} = :${name}`);
    values[`:${name}`] = value;
  }
  return { clauses, values };
}

export function updateOf(parts: { set?: readonly string[]; remove?: readonly string[] }): string {
  const clauses: string[] = [];
  if (parts.set?.length) clauses.push(`SET ${parts.set.join(', ')}`);
  if (parts.remove?.length) clauses.push(`REMOVE ${parts.remove.map((name) => `#${name}`).join(', ')}`);
  return clauses.join(' ');
}
