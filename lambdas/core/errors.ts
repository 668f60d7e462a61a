/** A write got no answer in time: it may or may not have happened. */
export class WriteTimeoutError extends Error {
  override readonly name = 'WriteTimeoutError';
}

/** Some keys of a read got no answer: nothing is known of them, least of all that they are absent. */
export class IncompleteReadError extends Error {
  override readonly name = 'IncompleteReadError';
  constructor(what: string, count: number) {
    super(`${count} ${what} got no answer`);
  }
}
