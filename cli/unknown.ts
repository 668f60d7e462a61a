import { closestOf } from '../lambdas/core/contracts/suggestion';

/** What to say of a name that is none of those known. */
export function unknownOf(given: string, known: readonly string[]): string {
  const closest = closestOf(given, known);
  return closest === undefined
    ? `is unknown; expected ${known.join(', ')}`
    : `is unknown; did you mean ${JSON.stringify(closest)}?`;
}
