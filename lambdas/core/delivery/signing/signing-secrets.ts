import type { Clock } from '../../clock/clock';
import { MINUTE_MS } from '../../clock/clock';
import { type SecretVersions, signingVersions } from '../../domain/secret-versions';
import type { UserStore } from '../../store/user-store';
import type { DeploymentSecret } from './deployment-secret';
import { signingSecret } from './standard-webhooks';

/** Every delivery uses a rotated secret within this time. */
const CACHED_MS = 5 * MINUTE_MS;
const MAX_USERS = 10_000;

/**
 * The secrets (`whsec_…`) that sign the deliveries of a user, the current one first. The versions of a user
 * are read once in five minutes. The first delivery of a user waits for that read.
 */
export function signingSecrets(deps: {
  users: Pick<UserStore, 'secretVersions'>;
  secret: DeploymentSecret;
  clock: Clock;
}): (userId: string) => Promise<string[]> {
  const { users, secret, clock } = deps;
  const known = new Map<string, { versions: Promise<SecretVersions>; readAtMs: number }>();

  const versionsOf = (userId: string): Promise<SecretVersions> => {
    const cached = known.get(userId);
    const nowMs = clock.monotonicMs();
    if (cached && nowMs - cached.readAtMs < CACHED_MS) return cached.versions;
    if (known.size >= MAX_USERS) known.clear();
    const versions = users.secretVersions(userId).catch((error: unknown) => {
      known.delete(userId); // the next delivery reads again
      if (cached) return cached.versions; // older versions are better than no delivery
      throw error;
    });
    known.set(userId, { versions, readAtMs: nowMs });
    return versions;
  };

  return async (userId) => {
    const [versions, key] = await Promise.all([versionsOf(userId), secret.get()]);
    return signingVersions(versions, clock.nowMs()).map((version) => signingSecret(key, userId, version));
  };
}
