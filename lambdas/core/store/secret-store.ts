import type { Secret } from '../domain/secret';

/** An access token that was fetched with secrets. */
export interface AccessTokenRow {
  project: string;
  /** Name of the secret that proved the client. */
  secret: string;
  /** Hash of all that the token was fetched with. */
  grant: string;
  fetchedAtMs: number;
  /** The token is not to be used from this instant on. */
  usableUntilMs: number;
  sealed: string;
  /** When DynamoDB may remove the row, in seconds. Until then, the token is hidden in reports. */
  expiresAtSec: number;
}

/** The secrets of projects, and the tokens that were fetched with them. */
export interface SecretStore {
  /** Consistent. */
  get(project: string, name: string): Promise<Secret | undefined>;
  /** All secrets of a project in order of their names: at most a hundred. Consistent. */
  list(project: string): Promise<Secret[]>;
  /** Replaces the version seen; undefined: there is none. `changed`: another request was faster. */
  put(secret: Secret, seenVersion: string | undefined): Promise<'put' | 'changed'>;
  /** Puts the same values under another key, if the secret still has its version. */
  reseal(secret: Secret): Promise<'put' | 'changed'>;
  remove(project: string, name: string): Promise<void>;
  /** The token that was fetched last for a grant. */
  latestToken(project: string, secret: string, grant: string): Promise<AccessTokenRow | undefined>;
  putToken(token: AccessTokenRow): Promise<void>;
  /** The tokens that were fetched with a secret, of all grants: the newest 500. Without a secret: all. */
  listTokens(project: string, secret?: string): Promise<AccessTokenRow[]>;
}
