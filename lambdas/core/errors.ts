/** A write got no answer in time: it may or may not have happened. */
export class NotAcknowledged extends Error {
  override readonly name = 'NotAcknowledged';
}

/** Some keys of a read got no answer: nothing is known of them, least of all that they are absent. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
  constructor(what: string, count: number) {
    super(`${count} ${what} got no answer`);
  }
}
