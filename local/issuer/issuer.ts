import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';

/** The `iss` claim of every local token, and the `aud` claim of those that all local runs accept. */
export const LOCAL_ISSUER = 'https://issuer.quarterjack.local';
export const LOCAL_AUDIENCE = 'quarterjack';

/** The user of a token for which none is named. */
export const OWNER = 'alice';

/** The claim that lists the groups of a user, as in Cognito. */
const GROUPS_CLAIM = 'cognito:groups';

export interface TokenRequest {
  user: string;
  /** Scopes, separated by spaces. */
  scope: string;
  groups?: readonly string[];
  /** Further claims. */
  claims?: Readonly<Record<string, unknown>>;
  /** The URL of the only run that accepts the token. Default: all runs of the checkout do. */
  audience?: string;
  ttlSec: number;
  nowMs: number;
}

interface IdTokenRequest extends Omit<TokenRequest, 'scope' | 'audience'> {
  clientId: string;
  nonce: string | undefined;
}

/** The token issuer of a checkout. All local runs trust it, whatever their port and data directory. */
export interface Issuer {
  /** The key set that verifies the tokens (RFC 7517). */
  keySet: { keys: JWK[] };
  token(request: TokenRequest): Promise<string>;
  /** An ID token of OpenID Connect. The API refuses it: it tells a program who signed in. */
  idToken(request: IdTokenRequest): Promise<string>;
}

/**
 * Opens the issuer whose key is in `directory`. The first call creates the key, readable only by its owner.
 */
export async function openIssuer(directory: string): Promise<Issuer> {
  const file = join(directory, 'private-key.json');
  if (!existsSync(file)) await createKey(directory, file);
  const jwk = JSON.parse(readFileSync(file, 'utf8')) as JWK;
  const { kty, n, e } = jwk;
  const kid = await calculateJwkThumbprint({ kty: kty as string, n, e });
  const privateKey = await importJWK(jwk, 'RS256');
  const signed = (
    claims: JWTPayload,
    audience: string,
    { user, ttlSec, nowMs }: Pick<TokenRequest, 'user' | 'ttlSec' | 'nowMs'>,
  ): Promise<string> => {
    const nowSec = Math.floor(nowMs / 1000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
      .setIssuer(LOCAL_ISSUER)
      .setAudience(audience)
      .setSubject(user)
      .setIssuedAt(nowSec)
      .setExpirationTime(nowSec + ttlSec)
      .setJti(randomUUID())
      .sign(privateKey);
  };
  return {
    keySet: { keys: [{ kty, n, e, kid, alg: 'RS256', use: 'sig' } as JWK] },
    token: ({ scope, groups = [], claims = {}, audience = LOCAL_AUDIENCE, ...request }) =>
      signed({ ...claims, ...(groups.length > 0 && { [GROUPS_CLAIM]: groups }), scope }, audience, request),
    idToken: ({ nonce, ...request }) =>
      signed({ token_use: 'id', ...(nonce !== undefined && { nonce }) }, request.clientId, request),
  };
}

async function createKey(directory: string, file: string): Promise<void> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true, modulusLength: 2048 });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const temporary = join(directory, `${randomUUID()}.new`);
  writeFileSync(temporary, JSON.stringify(await exportJWK(privateKey)), { mode: 0o600 });
  try {
    // Unlike a rename, a link never replaces the key that another process has created meanwhile.
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary);
  }
}
