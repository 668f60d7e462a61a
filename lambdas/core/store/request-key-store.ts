/**
 * Record of a request with an `Idempotency-Key`. A result whose id follows from the key needs
 * none. A manual run needs one, since its id contains its time. So do user retries and jobs with a chosen id.
 */
export interface RequestKey {
  userId: string;
  /** SHA-256 of user, route and key, base64url. */
  keyHash: string;
  /** SHA-256 of the request's body in canonical JSON, base64url. */
  bodyHash: string;
  /** Id of what the request created or changed, in its operation's own terms. */
  resultId: string;
  /** Seconds; absent: the record stays until it is removed. */
  expiresAtSec?: number;
}

export interface RequestKeyStore {
  /** Writes the record, unless its key has one. Resolves to the record that is there afterwards. */
  putUnlessKnown(key: RequestKey): Promise<RequestKey>;
  /** Consistent. */
  get(userId: string, keyHash: string): Promise<RequestKey | undefined>;
  remove(userId: string, keyHash: string): Promise<void>;
}
