/** A write got no answer in time: it may or may not have happened. */
export class NotAcknowledged extends Error {
  override readonly name = 'NotAcknowledged';
}
