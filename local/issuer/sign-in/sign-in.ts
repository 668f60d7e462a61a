import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { MINUTE_MS, SECOND_MS } from '../../machine/clock';
import { readBody } from '../../machine/read-body';
import { messageOf } from '../../run/errors';
import { type Issuer, LOCAL_ISSUER } from '../issuer';
import { authorizationRequest, LOCAL_CLIENT } from './authorization-request';
import { type Grants, grants, type SignedIn } from './grants';
import { GRANTABLE, signInPage } from './sign-in-page';

const MAX_FORM_BYTES = 16_384;
const TOKEN_TTL_SEC = (60 * MINUTE_MS) / SECOND_MS;

interface SignInDeps {
  issuer: Issuer;
  nowMs(): number;
  /** Origin of the local run: `http://127.0.0.1:8787`. */
  origin: string;
  /** Where the page may send a browser back to. */
  callbackUrls: readonly string[];
  /** Ids of the programs that may get tokens for themselves. Their secret is the code of the page. */
  machineClients: readonly string[];
  onError(line: string): void;
}

/** A sign-in with the code that its page asks for. */
interface SignInPages {
  /** The terminal of the run shows it. */
  code: string;
  listener: RequestListener;
}

interface Reply {
  status: number;
  type?: 'text/html' | 'text/css' | 'text/plain' | 'application/json';
  body?: string;
  headers?: Record<string, string>;
}

/** What a program gets without asking: its role bounds it further. Approvals are for people. */
const MACHINE_SCOPE = GRANTABLE.filter((scope) => scope !== 'runs:approve').join(' ');

const STYLE = join(__dirname, 'sign-in.css');
/** Without the letters and digits that look alike. */
const CODE_CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const CODE_LENGTH = 8;

/** A new code for the page, which a person types. */
const newSignInCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)]).join('');

/** Paths of the sign-in: the page with its form, its style, and the exchange of codes for tokens. */
export const SIGN_IN_PATHS: readonly string[] = ['/_local/sign-in', '/_local/sign-in.css', '/_local/token'];

/**
 * The sign-in of a local run, in place of an issuer: OAuth 2.0 code flow with PKCE. A page of another origin
 * can neither read its responses nor send its form, whatever name it gives this machine.
 */
export function signInPages(deps: SignInDeps): SignInPages {
  const kept = grants(deps.nowMs);
  const code = newSignInCode();
  const listener: RequestListener = (request, response) => {
    answerTo(request, kept, { ...deps, code })
      .then((answer) => send(response, answer))
      .catch((thrown: unknown) => {
        deps.onError(`sign-in: ${messageOf(thrown)}`);
        if (!response.headersSent)
          send(response, { status: 500, type: 'text/plain', body: messageOf(thrown) });
      });
  };
  return { code, listener };
}

async function answerTo(
  request: IncomingMessage,
  kept: Grants,
  deps: SignInDeps & { code: string },
): Promise<Reply> {
  if (!isOwn(request, deps.origin))
    return text(403, `Only for requests of ${deps.origin} and of programs on this machine`);
  const { pathname, search, searchParams } = new URL(request.url ?? '/', deps.origin);
  const route = `${request.method} ${pathname}`;
  if (route === 'GET /_local/sign-in.css')
    return { status: 200, type: 'text/css', body: await readFile(STYLE, 'utf8') };
  if (route === 'POST /_local/token') return token(await formOf(request), kept, deps);
  if (pathname !== '/_local/sign-in' || !/^(?:GET|POST)$/.test(request.method ?? ''))
    return text(405, 'GET or POST only');
  const asked = authorizationRequest(searchParams, deps.callbackUrls);
  if (typeof asked === 'string') return text(400, asked);
  // The console passes on the code that its address had: `npm start` prints it there.
  const runCode = searchParams.get('run_code') ?? '';
  const page = (more: { user?: string; problem?: string } = {}): Reply => ({
    status: more.problem === undefined ? 200 : 400,
    type: 'text/html',
    body: signInPage({ query: search.slice(1), scope: asked.scope, code: runCode, ...more }),
    // A browser applies `form-action` to the redirect after the form too.
    headers: { 'content-security-policy': pagePolicy(new URL(asked.redirectUri).origin) },
  });
  if (request.method === 'GET') return page();

  const form = await formOf(request);
  const user = (form.get('user') ?? '').trim();
  if (user === '') return page({ problem: 'The user is missing.' });
  if (!isSame((form.get('code') ?? '').trim().toLowerCase(), deps.code))
    return page({ user, problem: 'This is not the code that npm start printed.' });
  const scope = form.getAll('scope').filter((name) => GRANTABLE.includes(name));
  const groups = (form.get('groups') ?? '').split(/\s+/).filter(Boolean);
  const back = new URL(asked.redirectUri);
  back.searchParams.set('code', kept.code({ user, scope: scope.join(' '), groups }, asked));
  back.searchParams.set('iss', LOCAL_ISSUER); // RFC 9207
  if (asked.state !== undefined) back.searchParams.set('state', asked.state);
  return { status: 303, headers: { location: back.href } };
}

/** RFC 6749 4.1.3, 4.4 and 6. */
async function token(
  form: URLSearchParams,
  kept: Grants,
  deps: SignInDeps & { code: string },
): Promise<Reply> {
  if (form.get('grant_type') === 'client_credentials') return machineToken(form, deps);
  if (form.get('client_id') !== LOCAL_CLIENT) return oauthError(401, 'invalid_client');
  if (form.get('grant_type') === 'authorization_code') {
    const given = {
      redirectUri: form.get('redirect_uri') ?? '',
      codeVerifier: form.get('code_verifier') ?? '',
    };
    const found = kept.redeemCode(form.get('code') ?? '', given);
    return found
      ? tokens(found.signedIn, kept, deps, { nonce: found.nonce })
      : oauthError(400, 'invalid_grant');
  }
  if (form.get('grant_type') === 'refresh_token') {
    const signedIn = kept.redeemRefreshToken(form.get('refresh_token') ?? '');
    return signedIn ? tokens(signedIn, kept, deps, {}) : oauthError(400, 'invalid_grant');
  }
  return oauthError(400, 'unsupported_grant_type');
}

async function machineToken(
  form: URLSearchParams,
  { issuer, nowMs, origin, machineClients, code }: SignInDeps & { code: string },
): Promise<Reply> {
  const clientId = form.get('client_id') ?? '';
  if (!machineClients.includes(clientId) || !isSame(form.get('client_secret') ?? '', code))
    return oauthError(401, 'invalid_client');
  const request = {
    user: clientId,
    scope: form.get('scope') ?? MACHINE_SCOPE,
    claims: { client_id: clientId },
  };
  const body = {
    access_token: await issuer.token({ ...request, ttlSec: TOKEN_TTL_SEC, nowMs: nowMs(), audience: origin }),
    token_type: 'Bearer',
    expires_in: TOKEN_TTL_SEC,
  };
  return { status: 200, type: 'application/json', body: JSON.stringify(body) };
}

async function tokens(
  signedIn: SignedIn,
  kept: Grants,
  { issuer, nowMs, origin }: SignInDeps,
  { nonce }: { nonce?: string | undefined },
): Promise<Reply> {
  const { user, scope, groups } = signedIn;
  const common = { user, ttlSec: TOKEN_TTL_SEC, nowMs: nowMs() };
  const body = {
    access_token: await issuer.token({ ...common, scope, groups, audience: origin }),
    id_token: await issuer.idToken({ ...common, clientId: LOCAL_CLIENT, nonce }),
    refresh_token: kept.refreshToken(signedIn),
    token_type: 'Bearer',
    expires_in: TOKEN_TTL_SEC,
    scope,
  };
  return { status: 200, type: 'application/json', body: JSON.stringify(body) };
}

/**
 * Whether a request comes from a program on this machine, or from a page of the local run. A browser says
 * from which page a request comes, and which name it has for this machine.
 */
function isOwn({ method, headers }: IncomingMessage, origin: string): boolean {
  const { host, origin: from } = headers;
  const own = [origin, origin.replace('127.0.0.1', 'localhost')];
  if (!own.includes(`http://${host}`)) return false;
  if (method === 'GET') return true;
  const site = headers['sec-fetch-site'];
  return (from === undefined || own.includes(from)) && (site === undefined || site === 'same-origin');
}

const isSame = (given: string, code: string): boolean => timingSafeEqual(digestOf(given), digestOf(code));
const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer');

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams((await readBody(request, MAX_FORM_BYTES))?.toString('utf8') ?? '');
}

const pagePolicy = (redirectOrigin: string): string =>
  `default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action 'self' ${redirectOrigin}`;

const text = (status: number, body: string): Reply => ({ status, type: 'text/plain', body });
const oauthError = (status: number, error: string): Reply => ({
  status,
  type: 'application/json',
  body: JSON.stringify({ error }),
});

function send(response: ServerResponse, { status, type = 'text/plain', body = '', headers }: Reply): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // With `no-referrer`, a browser would send the form with the origin `null`.
    'referrer-policy': 'same-origin',
    'content-security-policy': "default-src 'none'",
    ...headers,
  });
  response.end(body);
}
