/** An error that the user of the run can fix. The command line shows it as one line, without a stack. */
export class LocalRunError extends Error {
  override readonly name = 'LocalRunError';
}

/** The message of any thrown value. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
