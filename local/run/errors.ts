/** A fault that the person who started the run can act on: shown as one line, without a stack. */
export class LocalRunError extends Error {
  override readonly name = 'LocalRunError';
}

/** The message of anything that was thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
