/**
 * What a request with an `Idempotency-Key` leaves behind where the id of what it makes cannot be made from the key alone: a
 * manual run (its id holds its time), a job with an id of its user's choice, a retry.
 */
export interface RequestKey {
  userId: string;
  /** SHA-256 of user, route and key, base64url. */
  keyHash: string;
  /** SHA-256 of the request's body in canonical JSON, base64url. */
  bodyHash: string;
  /** What the request made or did, in its operation's own terms. */
  resultId: string;
  /** Seconds; absent: it stays until it is removed. */
  expiresAtSec?: number;
}

export interface RequestKeyStore {
  /** Puts the row unless one is there under its key; resolves to the row that stands. */
  putUnlessKnown(key: RequestKey): Promise<RequestKey>;
  /** Consistent. */
  get(userId: string, keyHash: string): Promise<RequestKey | undefined>;
  remove(userId: string, keyHash: string): Promise<void>;
}
