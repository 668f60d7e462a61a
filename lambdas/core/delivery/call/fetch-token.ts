import { DAY_MS, SECOND_MS } from '../../clock/clock';
import { isRetriedStatus } from '../../domain/retry-policy';
import type { HttpTarget } from '../../domain/target';
import { checkUrl } from '../address-policy';
import { BlockedTargetError } from '../checked-lookup';
import { Redactor } from '../secrets/redactor';
import { basicOf, type Grant, SecretFault } from '../secrets/render-target';
import { exchange, type HttpSettings, errorText } from './http';

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
export async function fetchToken(
  grant: Grant,
  signal: AbortSignal,
  settings: HttpSettings,
): Promise<FetchedToken> {
  const { clientId, clientSecret, tokenUrl } = grant;
  const check = checkUrl(tokenUrl, settings.policy, settings.allowedHosts);
  if (!check.ok) throw new SecretFault('blocked', `auth.tokenUrl ${check.message}`);
  const said = [grant.scope, grant.audience].filter((text) => text !== undefined);
  const redactor = new Redactor([clientId, clientSecret], said);
  const { target, delivery } = requestOf(grant);
  let answer: { status: number; body: Buffer };
  try {
    const all = { enough: MAX_BYTES + 1, wanted: MAX_BYTES + 1 };
    answer = await exchange(target, delivery, signal, settings, () => all);
  } catch (error) {
    if (error instanceof BlockedTargetError) throw new SecretFault('blocked', error.message);
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
