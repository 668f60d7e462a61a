import { cachedByKey } from '../../async/cached';
import { type Clock, MINUTE_MS } from '../../clock/clock';
import { signingVersions } from '../../domain/secret-versions';
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
  const versionsOf = cachedByKey((userId: string) => users.secretVersions(userId), {
    ttlMs: CACHED_MS,
    clock,
    maxKeys: MAX_USERS,
    isStaleOnError: true, // older versions are better than no delivery
  });

  return async (userId) => {
    const [versions, key] = await Promise.all([versionsOf(userId), secret.get()]);
    return signingVersions(versions, clock.nowMs()).map((version) => signingSecret(key, userId, version));
  };
}
