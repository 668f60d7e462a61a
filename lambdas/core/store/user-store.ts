import type { SecretVersions } from '../domain/secret-versions';

/** Data of a project beside the jobs. */
export interface UserStore {
  /**
   * Versions of the signing secret of a host, as `signingHostOf` returns it; without `host`, of the project's
   * legacy secret. Consistent. `NEVER_ROTATED` for a secret that was never rotated: it has no row.
   */
  secretVersions(userId: string, host?: string): Promise<SecretVersions>;
  /** Replaces the version seen. `changed`: another request was faster. */
  putSecretVersions(
    userId: string,
    next: SecretVersions,
    seen: SecretVersions,
    host?: string,
  ): Promise<'put' | 'changed'>;
  /** How many hosts of a project have a row, because their secret was rotated. Consistent. */
  countRotatedHosts(userId: string): Promise<number>;
}
