import { cachedByKey } from '../../async/cached';
import { type Clock, MINUTE_MS } from '../../clock/clock';
import { secretKindOf, type Secret, stillHidden } from '../../domain/secret';
import type { AccessTokenRow, SecretStore } from '../../store/secret-store';
import type { HiddenValue } from './needles';
import { keyVersionOf, type SealingKeys, unseal, UnsealError } from './seal';

/** A secret as a call uses it. */
export interface OpenSecret {
  name: string;
  version: string;
  /** The version of the deployment's secret that sealed it. */
  keyVersion: string;
  kind: 'text' | 'pem';
  hosts: readonly string[];
  value: string;
}

/** The secret of a project; undefined if there is none. Throws `UnsealError`, or what the store throws. */
export type SecretReader = (project: string, name: string) => Promise<OpenSecret | undefined>;

/** A changed or removed secret counts at every call from this time on. */
const CACHED_MS = MINUTE_MS;
const MAX_CACHED = 5_000;

class MissingSecretError extends Error {}

/** Opens the secrets of calls. A process caches each for a minute; that there is none is not cached. */
export function secretReader(deps: {
  secrets: Pick<SecretStore, 'get'>;
  keys: SealingKeys;
  clock: Clock;
}): SecretReader {
  const { secrets, keys, clock } = deps;
  const read = async (key: string): Promise<OpenSecret> => {
    const [project, name] = JSON.parse(key) as [string, string];
    const secret = await secrets.get(project, name);
    if (!secret) throw new MissingSecretError();
    const { version, hosts, sealed } = secret;
    const value = await unseal(keys, { project, name }, sealed);
    return { name, version, keyVersion: keyVersionOf(sealed), kind: secretKindOf(secret), hosts, value };
  };
  const cached = cachedByKey(read, { ttlMs: CACHED_MS, clock, maxKeys: MAX_CACHED });
  return async (project, name) => {
    try {
      return await cached(JSON.stringify([project, name]));
    } catch (error) {
      if (error instanceof MissingSecretError) return undefined;
      throw error;
    }
  };
}

/** What a token is sealed as. */
export const sealedTokenName = ({ secret, grant }: Pick<AccessTokenRow, 'secret' | 'grant'>): string =>
  `token ${secret} ${grant}`;

/**
 * All values that an attempt may have sent with these secrets: the current ones, those that they have
 * replaced, and the access tokens. `unknown`: secrets whose values cannot be told any more.
 */
export async function everyValueOf(
  project: string,
  names: readonly string[],
  deps: { secrets: Pick<SecretStore, 'get' | 'listTokens'>; keys: SealingKeys; nowMs: number },
): Promise<{ hidden: HiddenValue[]; unknown: string[] }> {
  const unknown: string[] = [];
  const hidden = await Promise.all(
    names.map(async (name): Promise<HiddenValue[]> => {
      const [secret, tokens] = await Promise.all([
        deps.secrets.get(project, name),
        deps.secrets.listTokens(project, name),
      ]);
      if (!secret) unknown.push(name);
      if (!secret) return [];
      const sealedValues = valuesOf(secret, deps.nowMs).map((sealed) => ({ of: { project, name }, sealed }));
      const sealedTokens = tokens.map((token) => ({
        of: { project, name: sealedTokenName(token) },
        sealed: token.sealed,
      }));
      try {
        const all = [...sealedValues, ...sealedTokens];
        return await Promise.all(
          all.map(async ({ of, sealed }) => ({ name, value: await unseal(deps.keys, of, sealed) })),
        );
      } catch (error) {
        if (!(error instanceof UnsealError)) throw error;
        unknown.push(name);
        return [];
      }
    }),
  );
  return { hidden: hidden.flat(), unknown };
}

const valuesOf = (secret: Secret, nowMs: number): string[] => [
  secret.sealed,
  ...stillHidden(secret, nowMs).map(({ sealed }) => sealed),
];
