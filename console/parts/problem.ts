import { ConnectionError, ProblemError } from '../../client/browser';

/** A failure in words for a reader: what the API said, with the fields that it names. */
export function wordsOf(thrown: unknown): string {
  if (thrown instanceof ConnectionError) return 'The API did not answer.';
  if (!(thrown instanceof ProblemError)) return thrown instanceof Error ? thrown.message : String(thrown);
  const fields = thrown.errors.map(({ path, message }) => `${path}: ${message}`);
  return fields.length > 0 ? fields.join('; ') : thrown.detail;
}

/** What the API said about one field, by its dotted path; undefined if nothing. */
export const fieldProblem = (thrown: unknown, path: string): string | undefined =>
  thrown instanceof ProblemError
    ? thrown.errors.find((one) => one.path === path || one.path.startsWith(`${path}.`))?.message
    : undefined;

export const statusOf = (thrown: unknown): number | undefined =>
  thrown instanceof ProblemError ? thrown.status : undefined;
