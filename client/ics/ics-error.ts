/** A file, or a line of it, that cannot be read as a calendar. */
export class IcsError extends Error {
  override name = 'IcsError';

  constructor(message: string, line?: number, options?: ErrorOptions) {
    super(line === undefined ? message : `line ${line}: ${message}`, options);
  }
}
