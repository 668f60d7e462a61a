/**
 * Expressions are named strings, joined at the end. In all of them `#name` stands for the attribute `name`, so that no
 * reserved word can get in the way; DynamoDB refuses names and values that an expression does not use.
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

/** There are as many spellings as kinds of access, a few dozen, and as sets of cursors that move together. */
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

/** What a SET clause does: attributes to plain values (undefined ones left out). */
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
