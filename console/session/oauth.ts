import * as oauth from 'oauth4webapi';

import type { SignInConfig } from './config';
import { returnAddress } from './return-address';
import { SignInNeeded, type Tokens } from './tokens';

/** What is kept for the way back from the sign-in page, under its `state`. */
interface Pending {
  verifier: string;
  nonce: string;
  returnTo: string;
}

const pendingKey = (state: string): string => `quarterjack.sign-in.${state}`;
const absolute = (endpoint: string): string => new URL(endpoint, location.origin).href;
const client = ({ clientId }: SignInConfig): oauth.Client => ({ client_id: clientId });
const server = (config: SignInConfig): oauth.AuthorizationServer => ({
  issuer: config.issuer,
  authorization_endpoint: absolute(config.authorizationEndpoint),
  token_endpoint: absolute(config.tokenEndpoint),
});
/** A local run speaks http, on this machine alone. */
const transport = () => ({ [oauth.allowInsecureRequests]: location.protocol === 'http:' });
const redirectUri = (): string => `${location.origin}/console/`;

/** Goes to the sign-in page: OAuth 2.0 code flow with PKCE. */
export async function goToSignIn(config: SignInConfig, returnTo: string, runCode: string): Promise<void> {
  const [state, nonce, verifier] = [
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
    oauth.generateRandomCodeVerifier(),
  ];
  sessionStorage.setItem(pendingKey(state), JSON.stringify({ verifier, nonce, returnTo } satisfies Pending));
  const url = new URL(absolute(config.authorizationEndpoint));
  const query = {
    response_type: 'code',
    client_id: config.clientId,
    redirect_uri: redirectUri(),
    scope: config.scopes.join(' '),
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  // The sign-in page of a local run asks for the code of the run, which its address has.
  if (runCode && url.origin === location.origin) url.searchParams.set('run_code', runCode);
  location.assign(url.href);
}

/** Exchanges the code of the sign-in page. `query`: of the address that the page sent the browser to. */
export async function finishSignIn(
  config: SignInConfig,
  query: URLSearchParams,
): Promise<Omit<Tokens, 'family'> & { returnTo: string }> {
  const state = query.get('state') ?? '';
  const kept = sessionStorage.getItem(pendingKey(state));
  sessionStorage.removeItem(pendingKey(state));
  if (kept === null) throw new SignInNeeded('this sign-in was not begun in this tab');
  const { verifier, nonce, returnTo } = JSON.parse(kept) as Pending;
  const as = server(config);
  const params = oauth.validateAuthResponse(as, client(config), query, state);
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client(config),
    oauth.None(),
    params,
    redirectUri(),
    verifier,
    transport(),
  );
  const result = await oauth.processAuthorizationCodeResponse(as, client(config), response, {
    expectedNonce: nonce,
  });
  return { ...tokensOf(result), returnTo: returnAddress(returnTo, location.origin) };
}

/** Exchanges a refresh token. Throws `SignInNeeded` if the issuer refuses it. */
export async function refresh(config: SignInConfig, refreshToken: string): Promise<Omit<Tokens, 'family'>> {
  const as = server(config);
  try {
    const response = await oauth.refreshTokenGrantRequest(
      as,
      client(config),
      oauth.None(),
      refreshToken,
      transport(),
    );
    return tokensOf(await oauth.processRefreshTokenResponse(as, client(config), response));
  } catch (cause) {
    if (cause instanceof oauth.ResponseBodyError) throw new SignInNeeded('the sign-in has ended', { cause });
    throw cause;
  }
}

/** Tells the issuer that the refresh token is no longer used. A failure leaves it to expire. */
export async function revoke(config: SignInConfig, refreshToken: string): Promise<void> {
  if (!config.revocationEndpoint) return;
  const body = new URLSearchParams({ token: refreshToken, client_id: config.clientId });
  await fetch(config.revocationEndpoint, { method: 'POST', body, keepalive: true }).catch(() => undefined);
}

const tokensOf = (result: oauth.TokenEndpointResponse): Omit<Tokens, 'family'> => ({
  accessToken: result.access_token,
  expiresAtMs: Date.now() + (result.expires_in ?? 300) * 1_000,
  refreshToken: result.refresh_token,
});
