/** Texts longer than this are not compared: the cost is the product of the lengths. */
const MAX_COMPARED = 40;
const MAX_EDITS = 2;

/** `; did you mean "dueAt"?` for the most similar of the names, else a list of them. */
export function suggestionFor(given: string, names: readonly string[]): string {
  return didYouMean(given, names) || `; allowed: ${names.join(', ') || 'none'}`;
}

/** `; did you mean "dueAt"?` for the most similar of the names; empty if none is similar. */
export function didYouMean(given: string, names: readonly string[]): string {
  const closest = closestOf(given, names);
  return closest === undefined ? '' : `; did you mean "${closest}"?`;
}

/** The most similar of the names, whatever its case; undefined if none is similar. */
export function closestOf(given: string, names: readonly string[]): string | undefined {
  const [closest] = names
    .map((name) => ({ name, edits: editsBetween(given.toLowerCase(), name.toLowerCase()) }))
    .filter(
      ({ name, edits }) =>
        edits < name.length &&
        (edits <= Math.min(MAX_EDITS, Math.ceil(name.length / 4)) || isSwapped(given, name, edits)),
    )
    .sort((one, other) => one.edits - other.edits);
  return closest?.name;
}

/** Two letters have changed places. */
const isSwapped = (given: string, name: string, edits: number): boolean =>
  edits === 2 && lettersOf(given) === lettersOf(name);

const lettersOf = (text: string): string => Array.from(text.toLowerCase()).sort().join('');

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
