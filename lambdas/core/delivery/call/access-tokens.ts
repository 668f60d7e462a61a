import { createHash } from 'node:crypto';

import { withTimeout } from '../../async/with-timeout';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../../clock/clock';
import type { Random } from '../../clock/random';
import { isRetriedStatus } from '../../domain/retry-policy';
import type { HttpTarget } from '../../domain/target';
import type { AccessTokenRow, SecretStore } from '../../store/secret-store';
import type { Log } from '../../telemetry/telemetry';
import { checkUrl } from '../address-policy';
import { BlockedTargetError } from '../checked-lookup';
import { MIN_HIDDEN_BYTES } from '../secrets/needles';
import { Redactor } from '../secrets/redactor';
import { basicOf, type Grant, SecretFault } from '../secrets/render-target';
import { seal, type SealingKeys, unseal } from '../secrets/seal';
import { sealedTokenName } from '../secrets/secret-values';
import { errorText, exchange, forProject, type HttpSettings } from './http';

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
    (signal) => fetchToken(grant, signal, forProject(http, grant.project)),
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

/** Most bytes of an answer of a token endpoint. */
const MAX_BYTES = 65_536;
/** Servers accept headers of about as much. */
const MAX_TOKEN_CHARACTERS = 8_192;
/** Characters that are kept of an error of a token endpoint. */
const MAX_ERROR = 300;
const LONGEST_LIFE_MS = 7 * DAY_MS;

interface FetchedToken {
  token: string;
  /** Undefined: the endpoint does not say. */
  expiresInMs: number | undefined;
}

/**
 * Asks a token endpoint for an access token: the client credentials grant (RFC 6749, section 4.4). The URL
 * and its addresses are checked like those of a target. Throws `SecretFault`, without any secret.
 */
async function fetchToken(grant: Grant, signal: AbortSignal, settings: HttpSettings): Promise<FetchedToken> {
  const { clientId, clientSecret, tokenUrl } = grant;
  const check = checkUrl(tokenUrl, settings.policy, settings.allowedHosts);
  if (!check.ok) throw new SecretFault('blocked-target', `auth.tokenUrl ${check.message}`);
  const said = [grant.scope, grant.audience].filter((text) => text !== undefined);
  const redactor = new Redactor([clientId, clientSecret], said);
  const { target, delivery } = requestOf(grant);
  let answer: { status: number; body: Buffer };
  try {
    const all = { enough: MAX_BYTES + 1, wanted: MAX_BYTES + 1 };
    answer = await exchange(target, delivery, signal, settings, () => all);
  } catch (error) {
    if (error instanceof BlockedTargetError) throw new SecretFault('blocked-target', error.message);
    throw new SecretFault('retriable', redactor.message(`token endpoint: ${errorText(error)}`));
  }
  const { status, body } = answer;
  if (status < 200 || status > 299) {
    const kind = status >= 400 && !isRetriedStatus(status) ? 'bad-auth' : 'retriable';
    throw new SecretFault(kind, `the token endpoint answered ${status}${errorIn(body, redactor)}`);
  }
  if (body.length > MAX_BYTES) throw new SecretFault('retriable', 'the token endpoint answered over 64 kB');
  return tokenIn(body);
}

function requestOf({ project, tokenUrl, clientId, clientSecret, scope, audience, clientAuth }: Grant) {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== undefined) form.set('scope', scope);
  if (audience !== undefined) form.set('audience', audience);
  if (clientAuth === 'post') {
    form.set('client_id', clientId.value);
    form.set('client_secret', clientSecret.value);
  }
  const target: HttpTarget = { type: 'http', url: tokenUrl, method: 'POST', headers: {}, timeout: '10s' };
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
    'user-agent': 'Quarterjack/1',
    ...(clientAuth === 'basic' && {
      authorization: basicOf(formEncoded(clientId.value), formEncoded(clientSecret.value)),
    }),
  };
  return { target, delivery: { project, body: Buffer.from(form.toString(), 'utf8'), headers } };
}

/** As RFC 6749 asks in section 2.3.1, before the Basic scheme encodes them. */
const formEncoded = (value: string): string => new URLSearchParams([['', value]]).toString().slice(1);

/** `error` and `error_description` of an answer, without secrets. */
function errorIn(body: Buffer, redactor: Redactor): string {
  const { error, error_description: description } = objectIn(body);
  const texts = [error, description].filter((text) => typeof text === 'string');
  const lines = texts.map((text) => text.replaceAll(/\p{Cc}/gu, ' '));
  const kept = redactor.message(lines.join('\n')).replaceAll('\n', ': ');
  return kept === '' ? '' : `: ${kept.slice(0, MAX_ERROR)}`;
}

function tokenIn(body: Buffer): FetchedToken {
  const { access_token: token, expires_in: expiresIn, token_type: type } = objectIn(body);
  if (typeof token !== 'string' || !/^[\u0021-\u007e]+$/.test(token))
    throw new SecretFault('retriable', 'the token endpoint answered without an access_token');
  if (token.length > MAX_TOKEN_CHARACTERS)
    throw new SecretFault(
      'bad-auth',
      `the token endpoint returned a token of ${token.length} characters; at most ${MAX_TOKEN_CHARACTERS} are sent`,
    );
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer')
    throw new SecretFault('bad-auth', 'the token endpoint answered with a token that is no bearer token');
  const seconds = typeof expiresIn === 'string' ? Number(expiresIn) : expiresIn;
  const isLife = typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0;
  return { token, expiresInMs: isLife ? Math.min(seconds * SECOND_MS, LONGEST_LIFE_MS) : undefined };
}

/** The JSON object in a body; an empty one if there is none. */
function objectIn(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // no JSON: the endpoint's status says what is to be done
  }
}
