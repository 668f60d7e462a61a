const MAX_EDITS = 2;
/** Longer texts are not compared: the cost is the product of the lengths. */
const MAX_COMPARED = 40;

/** The most similar of the names; undefined if none is similar. */
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

/** What to say of a name that is none of those known. */
export function unknownOf(given: string, known: readonly string[]): string {
  const closest = closestOf(given, known);
  return closest === undefined
    ? `is unknown; expected ${known.join(', ')}`
    : `is unknown; did you mean ${JSON.stringify(closest)}?`;
}

/** Two letters have changed places. */
const isSwapped = (given: string, name: string, edits: number): boolean =>
  edits === 2 && lettersOf(given) === lettersOf(name);

const lettersOf = (text: string): string => Array.from(text.toLowerCase()).sort().join('');

/** Levenshtein: how many characters to insert, remove or replace. */
function editsBetween(one: string, other: string): number {
  if (Math.max(one.length, other.length) > MAX_COMPARED) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, character] of Array.from(one).entries()) {
    const next = [at + 1];
    for (const [index, its] of Array.from(other).entries()) {
      const replaced = row[index]! + (character === its ? 0 : 1);
      next.push(Math.min(replaced, row[index + 1]! + 1, next[index]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
