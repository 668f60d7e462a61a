import { ConnectionError, ProblemError } from '../../client/browser';

/** A failure in words for a reader: what the API said, with the fields that it names. */
export function wordsOf(thrown: unknown): string {
  if (thrown instanceof ConnectionError) return 'The API did not answer.';
  if (!(thrown instanceof ProblemError)) return thrown instanceof Error ? thrown.message : String(thrown);
  const fields = thrown.errors.map(({ path, message }) => `${path}: ${message}`);
  return fields.length > 0 ? fields.join('; ') : thrown.detail;
}

/**
 * What the API said about one field, by its dotted path; undefined if nothing. What is below the field counts
 * too, with its name, unless `which` is `alone`.
 */
export function fieldProblem(thrown: unknown, path: string, which?: 'alone'): string | undefined {
  if (!(thrown instanceof ProblemError)) return undefined;
  const own = thrown.errors.find((one) => one.path === path);
  if (own || which === 'alone') return own?.message;
  const below = thrown.errors.find((one) => one.path.startsWith(`${path}.`));
  return below && `${below.path.slice(path.length + 1)} ${below.message}`;
}

export const statusOf = (thrown: unknown): number | undefined =>
  thrown instanceof ProblemError ? thrown.status : undefined;
