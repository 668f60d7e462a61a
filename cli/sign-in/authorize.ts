import { CliError, ExitCode } from '../exit-codes';
import type { Io } from '../io';
import type { Renewal } from '../profiles';
import type { SignInEndpoints } from './endpoints';
import { listenForCallback } from './loopback';

/** Tokens of a sign-in. */
export interface Tokens {
  token: string;
  /** Absent if the issuer gave no refresh token. */
  renewal?: Renewal;
}

interface Browsing {
  /** Shows the URL, and how the command goes on. Opens a browser unless the user said not to. */
  open(url: string): Promise<void>;
  /** The URL that the browser ended at, if the user pastes it. Never settles if the user does not. */
  pasted(signal: AbortSignal): Promise<string>;
}

/**
 * Signs a user in with a browser: code flow with PKCE (RFC 7636), `state`, `nonce` and `iss` (RFC 9207). The
 * browser returns to a port of this machine. Throws a `CliError` if the issuer refuses.
 */
export async function authorize(endpoints: SignInEndpoints, io: Io, browsing: Browsing): Promise<Tokens> {
  const oauth = await import('oauth4webapi');
  const { issuer, authorizationEndpoint, clientId, scopes } = endpoints;
  const server = { issuer, token_endpoint: endpoints.tokenEndpoint.href };
  const client = { client_id: clientId };
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const callback = await listenForCallback(endpoints.callbackUrls, state);
  const ended = new AbortController();
  try {
    const url = new URL(authorizationEndpoint);
    const query = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: callback.redirectUri,
      scope: scopes.join(' '),
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    await browsing.open(url.href);
    const returned = await Promise.race([callback.returned, browsing.pasted(ended.signal).then(returnedUrl)]);
    const params = oauth.validateAuthResponse(server, client, returned, state);
    const options = { [oauth.customFetch]: io.fetch, [oauth.allowInsecureRequests]: true };
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      params,
      callback.redirectUri,
      verifier,
      options,
    );
    const checks = { expectedNonce: nonce, requireIdToken: true };
    const granted = await oauth.processAuthorizationCodeResponse(server, client, response, checks);
    return tokensOf(granted, endpoints);
  } catch (cause) {
    throw refusal(cause);
  } finally {
    ended.abort();
    callback.stop();
  }
}

function returnedUrl(text: string): URL {
  const url = text.trim();
  if (URL.canParse(url)) return new URL(url);
  throw new CliError('this is not the URL that the browser ended at; expected http://localhost:…');
}

function tokensOf(
  { access_token: token, refresh_token: refreshToken }: { access_token: string; refresh_token?: string },
  { issuer, tokenEndpoint, clientId }: SignInEndpoints,
): Tokens {
  if (refreshToken === undefined) return { token };
  return { token, renewal: { issuer, tokenEndpoint: tokenEndpoint.href, clientId, refreshToken } };
}

/** Names the issuer's reason, which may be in its response or in the URL that the browser returned with. */
function refusal(cause: unknown): unknown {
  if (cause instanceof CliError || !(cause instanceof Error)) return cause;
  const { error, error_description: description } = cause as { error?: string; error_description?: string };
  const reason = error === undefined ? cause.message : [error, description].filter(Boolean).join(': ');
  return new CliError(`the sign-in failed: ${reason}`, ExitCode.notAllowed, { cause });
}
