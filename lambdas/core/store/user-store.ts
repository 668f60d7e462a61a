import type { SecretVersions } from '../domain/secret-versions';

/** What is kept of a user beside the jobs. */
export interface UserStore {
  /** Consistent. Of a user who never rotated: `NEVER_ROTATED`. */
  secretVersions(userId: string): Promise<SecretVersions>;
  /** In place of the version seen. `changed`: somebody else was faster. */
  putSecretVersions(userId: string, next: SecretVersions, seen: SecretVersions): Promise<'put' | 'changed'>;
}
