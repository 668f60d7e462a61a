/** Texts longer than this are not compared: the cost is the product of the lengths. */
const MAX_COMPARED = 40;
const MAX_EDITS = 2;

/** `; did you mean "dueAt"?` for the most similar of the names, else a list of them. */
export function suggestionFor(given: string, names: readonly string[]): string {
  const [closest] = names
    .map((name) => ({ name, edits: editsBetween(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= MAX_EDITS && edits < name.length)
    .sort((one, other) => one.edits - other.edits);
  return closest ? `; did you mean "${closest.name}"?` : `; allowed: ${names.join(', ') || 'none'}`;
}

/** Characters to insert, remove or replace (Levenshtein). */
function editsBetween(one: string, other: string): number {
  if (one.length > MAX_COMPARED || other.length > MAX_COMPARED) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let index = 1; index <= other.length; index++) {
      const isEqual = one.charAt(at - 1) === other.charAt(index - 1);
      const replaced = row[index - 1]! + (isEqual ? 0 : 1);
      next.push(Math.min(replaced, row[index]! + 1, next[index - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
