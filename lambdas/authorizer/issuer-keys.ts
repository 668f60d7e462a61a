import { type CryptoKey, importJWK, type JWK } from 'jose';

import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../core/clock/clock';

export type Algorithm = 'RS256' | 'ES256';

/** Finds the issuer's key for a token. Undefined: it has none. Rejects while no key set is known. */
export type IssuerKeys = (kid: string, algorithm: string) => Promise<CryptoKey | undefined>;

/** There is no key set, and none can be read: nothing can be said about any token. */
export class IssuerUnavailableError extends Error {
  override readonly name = 'IssuerUnavailableError';
}

interface IssuerKeysDeps {
  /** The issuer's key set (RFC 7517). */
  readKeySet(): Promise<Record<string, unknown>>;
  clock: Pick<Clock, 'nowMs'>;
}

/** A key that was removed is refused after this time. */
const FRESH_MS = 10 * MINUTE_MS;
/** An issuer that does not answer may be away for so long. */
const STALE_MS = DAY_MS;
/** Time between two reads, whatever tokens come: each token with an invented `kid` would cause one. */
const BETWEEN_READS_MS = 10 * SECOND_MS;
const MAX_KEYS = 100;

interface KeySet {
  readAtMs: number;
  jwks: ReadonlyMap<string, JWK>;
  imported: Map<string, Promise<CryptoKey>>;
}

/** The keys of an issuer by `kid` and algorithm. Calls that come during a read share it. */
export function issuerKeys({ readKeySet, clock }: IssuerKeysDeps): IssuerKeys {
  let known: KeySet | undefined;
  let reading: Promise<void> | undefined;
  let triedAtMs = Number.NEGATIVE_INFINITY;

  const ageMs = (): number => (known ? Math.abs(clock.nowMs() - known.readAtMs) : Number.POSITIVE_INFINITY);
  const mayRead = (): boolean => Math.abs(clock.nowMs() - triedAtMs) >= BETWEEN_READS_MS;

  const read = async (): Promise<void> => {
    triedAtMs = clock.nowMs();
    const jwks = keysIn(await readKeySet());
    known = { readAtMs: triedAtMs, jwks, imported: new Map() };
  };
  const readOnce = (): Promise<void> =>
    (reading ??= read().finally(() => {
      reading = undefined;
    }));

  /** A set that is not stale stays in use while the issuer does not answer. */
  const current = async (): Promise<KeySet> => {
    if (known === undefined || ageMs() >= STALE_MS)
      await readOnce().catch((cause: unknown) => {
        throw new IssuerUnavailableError('the keys of the issuer cannot be read', { cause });
      });
    else if (ageMs() >= FRESH_MS && (reading || mayRead())) await readOnce().catch(() => undefined);
    return known!;
  };

  return async (kid, algorithm) => {
    const name = nameOf(algorithm, kid);
    let keys = await current();
    if (!keys.jwks.has(name) && (reading || mayRead())) {
      await readOnce().catch(() => undefined);
      keys = known!;
    }
    const jwk = keys.jwks.get(name);
    return jwk && importOnce(name, jwk, keys);
  };
}

function importOnce(name: string, jwk: JWK, { imported }: KeySet): Promise<CryptoKey> {
  const key = imported.get(name) ?? (importJWK(jwk, name.split(' ')[0]) as Promise<CryptoKey>);
  imported.set(name, key);
  return key;
}

const nameOf = (algorithm: string, kid: string): string => `${algorithm} ${kid}`;

/** The keys that may verify tokens. The key's own type tells its algorithm, never the token. */
function keysIn({ keys }: Record<string, unknown>): ReadonlyMap<string, JWK> {
  if (!Array.isArray(keys)) throw new Error('the key set of the issuer has no list "keys"');
  const byName = new Map<string, JWK>();
  for (const jwk of keys.slice(0, MAX_KEYS) as JWK[]) {
    const algorithm = algorithmOf(jwk);
    if (algorithm && typeof jwk.kid === 'string') byName.set(nameOf(algorithm, jwk.kid), publicPart(jwk));
  }
  return byName;
}

function algorithmOf(jwk: JWK | null): Algorithm | undefined {
  const { kty, crv, alg, use, key_ops: operations } = jwk ?? {};
  const own = kty === 'RSA' ? 'RS256' : kty === 'EC' && crv === 'P-256' ? 'ES256' : undefined;
  const isForOther =
    (alg !== undefined && alg !== own) ||
    (use !== undefined && use !== 'sig') ||
    (Array.isArray(operations) && !operations.includes('verify'));
  return isForOther ? undefined : own;
}

const publicPart = ({ kty, n, e, crv, x, y }: JWK): JWK =>
  (kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y }) as JWK;
