import { jwtVerify } from 'jose';

import type { Clock } from '../machine/clock';
import type { PublicKey } from '../issuer/issuer';

export interface JwtAuthorizerOptions {
  issuer: string;
  /** The token's `aud` must be one of them, or, where it has none, its `client_id`. */
  audience: string[];
  key: PublicKey;
  clock: Clock;
}

export type Claims = Record<string, unknown>;

/** Gives the claims of a good token, and undefined for any other. */
export type JwtAuthorizer = (authorization: string | undefined) => Promise<Claims | undefined>;

/**
 * Checks a bearer token as API Gateway's JWT authorizer does: RS256 with the issuer's key (by its `kid`), `iss`, `aud` or
 * `client_id`, `exp` in the future, `nbf` and `iat` not in the future.
 */
export function jwtAuthorizer({ issuer, audience, key, clock }: JwtAuthorizerOptions): JwtAuthorizer {
  return async (authorization) => {
    const token = /^(?:Bearer\s+)?(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined || !isCanonical(token)) return undefined;
    const nowSec = clock.nowMs() / 1000;
    try {
      const { payload } = await jwtVerify(
        token,
        ({ kid }) => {
          if (kid !== key.kid) throw new Error(`no key has the id ${String(kid)}`);
          return key.publicKey;
        },
        // Only the issuer's own algorithm: `none`, or an HMAC keyed with the public key, must not get through.
        { algorithms: ['RS256'], issuer, requiredClaims: ['exp'], currentDate: new Date(clock.nowMs()) },
      );
      if (typeof payload.iat === 'number' && payload.iat > nowSec) return undefined;
      const named = [payload.aud ?? payload.client_id].flat();
      return named.some((name) => typeof name === 'string' && audience.includes(name)) ? payload : undefined;
    } catch {
      // Whatever is wrong with a token, the answer is the same and says nothing about why.
      return undefined;
    }
  };
}

/** Each part spelled as its bytes would be: a last character may hold bits that no byte has. */
const isCanonical = (token: string): boolean =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

/** Scopes of a token: `scope` as a text with spaces, or `scp` as a text or a list. */
export function scopesOf({ scope, scp }: Claims): string[] {
  const value = scope ?? scp;
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? value.split(' ').filter((one) => one !== '') : [];
}
