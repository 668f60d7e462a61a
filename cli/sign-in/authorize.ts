import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

import { CliError, ExitCode } from '../exit-codes';
import type { Io } from '../io';
import type { Renewal } from '../profiles';
import { isLoopback } from '../url';
import type { SignInEndpoints } from './endpoints';

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

const HTML = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', connection: 'close' };
const DONE = page('You are signed in', 'Return to the terminal. You may close this page.');
const NOT_FOUND = page('Nothing here', 'The command line waits for a sign-in at another address.');

/** Where the browser returns to after the sign-in. A return with another `state` is ignored. */
interface Callback {
  redirectUri: string;
  /** The URL that the browser came with, with its code and state. */
  returned: Promise<URL>;
  stop(): void;
}

/**
 * Listens at the first callback URL on this machine whose port is free. Throws a `CliError` if there is none.
 * Listens on 127.0.0.1 and, if the machine has it, on ::1, because a browser may resolve `localhost` to
 * either.
 */
async function listenForCallback(callbackUrls: readonly string[], state: string): Promise<Callback> {
  const candidates = callbackUrls.filter(
    (url) => URL.canParse(url) && new URL(url).protocol === 'http:' && isLoopback(new URL(url)),
  );
  for (const redirectUri of candidates) {
    const servers = await listenAt(new URL(redirectUri));
    if (servers) return callbackOf(redirectUri, state, servers);
  }
  throw new CliError(
    candidates.length === 0
      ? 'the API names no callback URL on this machine; use --token-stdin or --token-command'
      : `no port is free to wait for the sign-in; free one of ${candidates.join(', ')}, or use --token-stdin`,
  );
}

async function listenAt({ port }: URL): Promise<Server[] | undefined> {
  const first = await listen(Number(port), '127.0.0.1');
  if (!first) return undefined;
  const second = await listen(Number(port), '::1');
  return second ? [first, second] : [first];
}

/** Undefined if the address is in use, or not one of this machine. */
async function listen(port: number, host: string): Promise<Server | undefined> {
  const server = createServer();
  server.listen(port, host);
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
}

function callbackOf(redirectUri: string, state: string, servers: readonly Server[]): Callback {
  const { pathname } = new URL(redirectUri);
  let resolve: (url: URL) => void;
  const returned = new Promise<URL>((done) => (resolve = done));
  for (const server of servers) {
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', redirectUri);
      const isReturn =
        request.method === 'GET' && url.pathname === pathname && url.searchParams.get('state') === state;
      response.writeHead(isReturn ? 200 : 404, HTML).end(isReturn ? DONE : NOT_FOUND);
      if (isReturn) resolve(url);
    });
  }
  const stop = (): void => {
    for (const server of servers) {
      server.close();
      server.closeIdleConnections();
    }
  };
  return { redirectUri, returned, stop };
}

function page(title: string, text: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`;
}
