import { ArgumentError, AuthenticationError, ConnectionError, ResponseError } from './errors';

export interface ClientCredentials {
  /** `tokenEndpoint` of `signIn()`, as an absolute URL. */
  tokenEndpoint: string;
  clientId: string;
  clientSecret: string;
  /** Scopes, separated by spaces. Default: all that the client has. */
  scope?: string | undefined;
  /** Replaces the network and the time: for tests. */
  surroundings?: { fetch?: (request: Request) => Promise<Response>; nowMs?: () => number } | undefined;
}

/** A token is renewed this long before it expires. */
const MARGIN_MS = 60_000;
const TIMEOUT_MS = 10_000;

/**
 * The `token` of a program that signs in for itself (OAuth 2.0 client credentials). The function that it
 * returns gets a token, and keeps it until a minute before it expires. Issuers bill each token.
 *
 * It throws an `AuthenticationError` if the issuer refuses the client, a `ConnectionError` without a
 * response, and a `ResponseError` for any other.
 */
export function clientCredentials(credentials: ClientCredentials): () => Promise<string> {
  checkCredentials(credentials);
  const { fetch = globalThis.fetch, nowMs = Date.now } = credentials.surroundings ?? {};
  let kept: { token: Promise<string>; untilMs: number } | undefined;
  const renew = (): Promise<string> => {
    const entry = { token: Promise.resolve(''), untilMs: Number.POSITIVE_INFINITY };
    entry.token = requestToken(credentials, fetch).then(
      ({ token, lifeMs }) => {
        entry.untilMs = nowMs() + lifeMs - MARGIN_MS;
        return token;
      },
      (error: unknown) => {
        if (kept === entry) kept = undefined;
        throw error;
      },
    );
    kept = entry;
    return entry.token;
  };
  return () => (kept && nowMs() < kept.untilMs ? kept.token : renew());
}

function checkCredentials(credentials: unknown): void {
  if (typeof credentials !== 'object' || credentials === null)
    throw new ArgumentError('credentials', credentials, 'an object');
  const { tokenEndpoint, clientId, clientSecret, scope = '' } = credentials as Record<string, unknown>;
  for (const [name, value] of Object.entries({ tokenEndpoint, clientId, clientSecret, scope }))
    if (typeof value !== 'string') throw new ArgumentError(`credentials.${name}`, value, 'a string');
  if (
    !/^https?:$/.test(URL.canParse(tokenEndpoint as string) ? new URL(tokenEndpoint as string).protocol : '')
  )
    throw new ArgumentError('credentials.tokenEndpoint', tokenEndpoint, 'an absolute http or https URL');
}

async function requestToken(
  { tokenEndpoint, clientId, clientSecret, scope }: ClientCredentials,
  fetch: (request: Request) => Promise<Response>,
): Promise<{ token: string; lifeMs: number }> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const request = new Request(tokenEndpoint, {
    method: 'POST',
    body: new URLSearchParams(scope === undefined ? form : { ...form, scope }),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const response = await fetch(request).catch((cause: unknown) => {
    throw new ConnectionError(`${tokenEndpoint} did not respond`, { cause });
  });
  const body = (await response.json().catch(() => undefined)) as Record<string, unknown> | null | undefined;
  const { access_token: token, expires_in: lifeSec, error } = body ?? {};
  if (error === 'invalid_client')
    throw new AuthenticationError({
      type: 'about:blank',
      title: 'Unauthorized',
      status: response.status,
      detail: `the issuer refuses the client ${clientId}, or its secret`,
    });
  if (!response.ok || typeof token !== 'string')
    throw new ResponseError(
      `${tokenEndpoint} answered ${response.status}${typeof error === 'string' ? ` (${error})` : ''}, and no token`,
      response.status,
    );
  return { token, lifeMs: (typeof lifeSec === 'number' ? lifeSec : 0) * 1_000 };
}
