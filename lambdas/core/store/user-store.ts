import type { SecretVersions } from '../domain/secret-versions';

/** Data of a user beside the jobs. */
export interface UserStore {
  /** Consistent. `NEVER_ROTATED` for a user who never rotated the secret. */
  secretVersions(userId: string): Promise<SecretVersions>;
  /** Replaces the version seen. `changed`: another request was faster. */
  putSecretVersions(userId: string, next: SecretVersions, seen: SecretVersions): Promise<'put' | 'changed'>;
}
