import { cachedByKey } from '../../async/cached';
import { type Clock, MINUTE_MS } from '../../clock/clock';
import { type SecretVersions, signingVersions } from '../../domain/secret-versions';
import type { UserStore } from '../../store/user-store';
import type { DeploymentSecret } from './deployment-secret';
import { signingSecret } from './standard-webhooks';

/** Every delivery uses a rotated secret within this time. */
const CACHED_MS = 5 * MINUTE_MS;
/** Projects, and hosts of projects, whose versions a process keeps. */
const MAX_KEYS = 10_000;

/** The secrets (`whsec_…`) that sign a delivery: of each kind the current one first. */
export interface SigningSecrets {
  /** Those of the host that is called. They sign the body, and the `quarterjack-…` headers. */
  host: readonly string[];
  /** Those of the whole project sign the body alone. None where the stage or the project has ended them. */
  legacy: readonly string[];
}

/**
 * The secrets that sign the deliveries of a project to a host, as `signingHostOf` returns it. The versions
 * are read once in five minutes. The first delivery to a host waits for that read.
 */
export function signingSecrets(deps: {
  users: Pick<UserStore, 'secretVersions'>;
  secret: DeploymentSecret;
  clock: Clock;
  /** Whether the stage lets legacy secrets sign along. */
  legacy: boolean;
}): (userId: string, host: string) => Promise<SigningSecrets> {
  const { users, secret, clock, legacy } = deps;
  // Old versions are better than no delivery.
  const cache = { ttlMs: CACHED_MS, clock, maxKeys: MAX_KEYS, isStaleOnError: true };
  const ofProject = cachedByKey((userId: string) => users.secretVersions(userId), cache);
  const ofHost = cachedByKey((key: string) => {
    const slash = key.indexOf('/');
    return users.secretVersions(key.slice(slash + 1), key.slice(0, slash));
  }, cache);

  const derive = derivedOnce();

  return async (userId, host) => {
    const [hostVersions, legacyVersions, key] = await Promise.all([
      ofHost(`${host}/${userId}`), // a host has no slash
      legacy ? ofProject(userId) : undefined,
      secret.get(),
    ]);
    const nowMs = clock.nowMs();
    const secretsOf = (versions: SecretVersions, of?: string) =>
      signingVersions(versions, nowMs).map((version) => derive(key, userId, version, of));
    return {
      host: secretsOf(hostVersions, host),
      legacy: legacyVersions ? secretsOf(legacyVersions) : [],
    };
  };
}

/** `signingSecret`, which derives each secret once. */
function derivedOnce(): typeof signingSecret {
  const known = new Map<string, string>();
  let knownOf: Buffer | undefined;
  return (deploymentSecret, userId, version, host) => {
    if (knownOf !== deploymentSecret || known.size === MAX_KEYS) known.clear();
    knownOf = deploymentSecret;
    const name = `${version}/${host ?? ''}/${userId}`;
    let secret = known.get(name);
    if (secret === undefined) {
      secret = signingSecret(deploymentSecret, userId, version, host);
      known.set(name, secret);
    }
    return secret;
  };
}
