import { createHash, randomBytes } from 'node:crypto';

import { SECOND_MS } from '../../machine/clock';
import type { AuthorizationRequest } from './authorization-request';

const CODE_TTL_MS = 60 * SECOND_MS;
/** The oldest are forgotten beyond this number. */
const MAX_KEPT = 1_000;

/** A user who signed in, and what the page let the user's program do. */
export interface SignedIn {
  user: string;
  /** Scopes, separated by spaces. */
  scope: string;
  /** Groups in the token: `project:<name>:<role>`. */
  groups: readonly string[];
}

interface Code extends SignedIn {
  request: AuthorizationRequest;
  expiresAtMs: number;
}

/** What a program exchanges for tokens: codes, each good once for a minute, and refresh tokens. */
export interface Grants {
  code(signedIn: SignedIn, request: AuthorizationRequest): string;
  /** Undefined if the code is unknown, used or expired, or was given to another redirect URI or verifier. */
  redeemCode(
    code: string,
    given: { redirectUri: string; codeVerifier: string },
  ): { signedIn: SignedIn; nonce: string | undefined } | undefined;
  refreshToken(signedIn: SignedIn): string;
  /** Each refresh token is good once: the response has the next one. */
  redeemRefreshToken(token: string): SignedIn | undefined;
}

/** Grants in the memory of the run: a restart ends them. */
export function grants(nowMs: () => number): Grants {
  const codes = new Map<string, Code>();
  const refreshTokens = new Map<string, SignedIn>();
  return {
    code: (signedIn, request) => keep(codes, { ...signedIn, request, expiresAtMs: nowMs() + CODE_TTL_MS }),
    redeemCode(code, { redirectUri, codeVerifier }) {
      const found = take(codes, code);
      if (!found || nowMs() >= found.expiresAtMs) return undefined;
      const { request, expiresAtMs: _, ...signedIn } = found;
      const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
      if (redirectUri !== request.redirectUri || challenge !== request.codeChallenge) return undefined;
      return { signedIn, nonce: request.nonce };
    },
    refreshToken: (signedIn) => keep(refreshTokens, signedIn),
    redeemRefreshToken: (token) => take(refreshTokens, token),
  };
}

/** Keeps a value under a new unguessable name. */
function keep<Value>(values: Map<string, Value>, value: Value): string {
  const name = randomBytes(32).toString('base64url');
  values.set(name, value);
  if (values.size > MAX_KEPT) values.delete(values.keys().next().value!);
  return name;
}

function take<Value>(values: Map<string, Value>, name: string): Value | undefined {
  const value = values.get(name);
  values.delete(name);
  return value;
}
