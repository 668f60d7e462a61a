import { jwtVerify } from 'jose';

import type { Clock } from '../machine/clock';
import type { PublicKey } from '../issuer/issuer';

interface JwtAuthorizerOptions {
  issuer: string;
  /** Accepted values of `aud`, or of `client_id` in a token without `aud`. */
  audience: string[];
  key: PublicKey;
  clock: Clock;
}

export type Claims = Record<string, unknown>;

/** The claims of a valid token; undefined for an invalid one. */
export type JwtAuthorizer = (authorization: string | undefined) => Promise<Claims | undefined>;

/**
 * Validates bearer tokens like API Gateway's JWT authorizer. It checks the RS256 signature with the issuer's
 * key, found by `kid`; then `iss`, and `aud` or `client_id`. `exp` must be in the future, `nbf` and `iat`
 * must not.
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
        // Only the issuer's algorithm. `none`, or an HMAC with the public key as secret, must not be
        // accepted.
        { algorithms: ['RS256'], issuer, requiredClaims: ['exp'], currentDate: new Date(clock.nowMs()) },
      );
      if (typeof payload.iat === 'number' && payload.iat > nowSec) return undefined;
      const named = [payload.aud ?? payload.client_id].flat();
      return named.some((name) => typeof name === 'string' && audience.includes(name)) ? payload : undefined;
    } catch {
      // The response must not reveal why a token is invalid.
      return undefined;
    }
  };
}

/**
 * Whether each part is the canonical base64url text of its bytes. The last character can contain unused bits.
 */
const isCanonical = (token: string): boolean =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

/** Scopes of a token: `scope` as a string with spaces, or `scp` as a string or a list. */
export function scopesOf({ scope, scp }: Claims): string[] {
  const value = scope ?? scp;
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? value.split(' ').filter((one) => one !== '') : [];
}
