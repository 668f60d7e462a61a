import { createHash } from 'node:crypto';

import { withTimeout } from '../../async/with-timeout';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../../clock/clock';
import type { Random } from '../../clock/random';
import type { AccessTokenRow, SecretStore } from '../../store/secret-store';
import type { Log } from '../../telemetry/telemetry';
import type { HttpSettings } from './http';
import { fetchToken } from './fetch-token';
import { MIN_HIDDEN_BYTES } from '../secrets/needles';
import { type Grant, SecretFault } from '../secrets/render-target';
import { sealedTokenName } from '../secrets/secret-values';
import { seal, type SealingKeys, unseal } from '../secrets/seal';

/** Bound on one request to a token endpoint. */
const FETCH_WITHIN_MS = 10 * SECOND_MS;
/** A token is not used in the last minute of its life. */
const UNUSED_AT_END_MS = MINUTE_MS;
/** The life of a token whose endpoint says nothing of it. */
const DEFAULT_LIFE_MS = 5 * MINUTE_MS;
/** For so long a token is hidden in reports of attempts that were sent with it. */
const HIDDEN_FOR_MS = 8 * DAY_MS;
const MAX_CACHED = 1_000;

interface Token {
  token: string;
  usableUntilMs: number;
}

/** The access tokens of calls. */
export interface AccessTokens {
  /**
   * A usable token: of this process, of the store, or fetched now. With `rejected`, a token other than that
   * one. Throws `SecretFault`.
   */
  get(grant: Grant, rejected?: string): Promise<string>;
}

/**
 * One token for each project, token endpoint, client, version of its secrets, scope and audience. It is kept
 * in the process, and sealed in a row for other processes. Calls that come during a fetch share it.
 */
export function accessTokens(deps: {
  secrets: Pick<SecretStore, 'latestToken' | 'putToken'>;
  keys: SealingKeys;
  http: HttpSettings;
  clock: Clock;
  random: Random;
  log: Log;
}): AccessTokens {
  const { clock } = deps;
  const known = new Map<string, Token>();
  const fetching = new Map<string, Promise<Token>>();

  const isUsable = (token: Token | undefined, rejected: string | undefined): token is Token =>
    token !== undefined && token.token !== rejected && token.usableUntilMs > clock.nowMs();

  /** A token of another process, else a new one. */
  const obtain = async (grant: Grant, key: string, rejected: string | undefined): Promise<Token> => {
    const stored = await storedToken(grant, key, deps);
    const token = isUsable(stored, rejected) ? stored : await fetchAndStore(grant, key, deps);
    if (known.size >= MAX_CACHED) known.clear();
    known.set(key, token);
    return token;
  };

  return {
    async get(grant, rejected) {
      const key = keyOf(grant);
      const cached = known.get(key);
      if (isUsable(cached, rejected)) return cached.token;
      const shared = await fetching.get(key);
      // One that was on its way before the rejection may bring the rejected token.
      if (shared && shared.token !== rejected) return shared.token;
      let fetch = fetching.get(key);
      if (!fetch) {
        fetch = obtain(grant, key, rejected).finally(() => fetching.delete(key));
        fetching.set(key, fetch);
      }
      return (await fetch).token;
    },
  };
}

const keyOf = ({ project, tokenUrl, clientId, clientSecret, scope, audience, clientAuth }: Grant): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        ...[project, tokenUrl, clientId.name, clientId.version, clientSecret.name, clientSecret.version],
        ...[scope ?? null, audience ?? null, clientAuth],
      ]),
    )
    .digest('base64url');

type TokenDeps = Parameters<typeof accessTokens>[0];

/** A row that cannot be read, or opened, is no reason to fail a call: the token is fetched anew. */
async function storedToken(grant: Grant, key: string, deps: TokenDeps): Promise<Token | undefined> {
  const { project, clientSecret } = grant;
  try {
    const row = await deps.secrets.latestToken(project, clientSecret.name, key);
    if (!row || row.usableUntilMs <= deps.clock.nowMs()) return undefined;
    const { usableUntilMs } = row;
    return {
      token: await unseal(deps.keys, { project, name: sealedTokenName(row) }, row.sealed),
      usableUntilMs,
    };
  } catch (error) {
    deps.log.warn('access token could not be read', {
      secret: clientSecret.name,
      reason: (error as Error).name,
    });
    return undefined;
  }
}

/** The row is written before the token is used, because reports are searched for the tokens in rows. */
async function fetchAndStore(grant: Grant, key: string, deps: TokenDeps): Promise<Token> {
  const { clock, http, keys, random, secrets } = deps;
  const fetchedAtMs = clock.nowMs();
  const { token, expiresInMs = DEFAULT_LIFE_MS } = await withTimeout(
    FETCH_WITHIN_MS,
    (signal) => fetchToken(grant, signal, http),
    clock,
    { error: () => new SecretFault('retriable', 'the token endpoint did not respond within 10 s') },
  );
  if (Buffer.byteLength(token) < MIN_HIDDEN_BYTES)
    throw new SecretFault(
      'bad-auth',
      `the token endpoint returned a token of fewer than ${MIN_HIDDEN_BYTES} bytes, which could not be hidden`,
    );
  const { project, clientSecret } = grant;
  const usableUntilMs = fetchedAtMs + expiresInMs - UNUSED_AT_END_MS;
  const of = { secret: clientSecret.name, grant: key };
  const row: AccessTokenRow = {
    project,
    ...of,
    fetchedAtMs,
    usableUntilMs,
    sealed: await seal(keys, { project, name: sealedTokenName(of) }, token, random),
    expiresAtSec: Math.ceil((fetchedAtMs + Math.max(expiresInMs, 0) + HIDDEN_FOR_MS) / SECOND_MS),
  };
  try {
    await secrets.putToken(row);
  } catch (error) {
    throw new SecretFault('retriable', `the access token could not be stored: ${(error as Error).name}`);
  }
  return { token, usableUntilMs };
}
