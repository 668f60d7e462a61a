/**
 * What a manual run asked for with an `Idempotency-Key` leaves behind: a run's id holds its time, so it
 * cannot be made from the key alone, and this row remembers it.
 */
export interface RunKey {
  userId: string;
  /** SHA-256 of user, route and key, base64url. */
  keyHash: string;
  /** SHA-256 of the request's body in canonical JSON, base64url. */
  bodyHash: string;
  execId: string;
  expiresAtSec: number;
}

export interface RunKeyStore {
  /** Puts the row unless one is there under its key; resolves to the row that stands. */
  putUnlessKnown(key: RunKey): Promise<RunKey>;
}
