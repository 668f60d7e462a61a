import { errors, type JWTPayload, jwtVerify } from 'jose';

import type { Clock } from '../core/clock/clock';
import { type IssuerKeys, IssuerUnavailableError } from './issuer-keys';

export interface TokenRules {
  issuer: string;
  /** Accepted values of `aud`, or of `client_id` in a token without `aud`. */
  audience: readonly string[];
}

export interface VerifyTokenDeps extends TokenRules {
  keyOf: IssuerKeys;
  clock: Pick<Clock, 'nowMs'>;
}

export type Claims = JWTPayload & { exp: number };

/** One text for every forgery: the response must not tell what to change. */
const INVALID = 'the token is not valid';
const EXPIRED = 'the token has expired';
const ID_TOKEN = 'the token is not an access token';

/** Clocks of issuer and verifier may differ by this much. It never lengthens a token's life. */
const CLOCK_DIFFERENCE_SEC = 5;
/** `typ` of access tokens, in lower case (RFC 9068). Many issuers write `JWT` or nothing. */
const TYPES: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

/**
 * The claims of an access token of the issuer, or why it is rejected. Checks the signature with the issuer's
 * key of that `kid` (RS256 or ES256), then `iss`, `aud` or `client_id`, `exp`, `nbf` and `iat`. Rejects with
 * `IssuerUnavailableError` if the keys are unknown.
 */
export async function verifyToken(
  token: string,
  { issuer, audience, keyOf, clock }: VerifyTokenDeps,
): Promise<{ problem: string } | { claims: Claims }> {
  if (!isCanonical(token)) return { problem: INVALID };
  const nowMs = clock.nowMs();
  try {
    const { payload, protectedHeader } = await jwtVerify(
      token,
      async ({ kid, alg }) => {
        const key = typeof kid === 'string' ? await keyOf(kid, alg) : undefined;
        if (!key) throw new errors.JWKSNoMatchingKey();
        return key;
      },
      {
        algorithms: ['RS256', 'ES256'],
        issuer,
        requiredClaims: ['exp'],
        currentDate: new Date(nowMs),
        clockTolerance: CLOCK_DIFFERENCE_SEC,
      },
    );
    const nowSec = nowMs / 1_000;
    const { exp = 0, iat = nowSec } = payload;
    if (exp <= nowSec) return { problem: EXPIRED };
    if (!Number.isFinite(exp) || iat > nowSec + CLOCK_DIFFERENCE_SEC) return { problem: INVALID };
    if (!TYPES.includes(protectedHeader.typ?.toLowerCase()) || !isFor(audience, payload))
      return { problem: INVALID };
    return isIdToken(payload) ? { problem: ID_TOKEN } : { claims: { ...payload, exp } };
  } catch (error) {
    if (error instanceof IssuerUnavailableError) throw error;
    return { problem: error instanceof errors.JWTExpired ? EXPIRED : INVALID };
  }
}

const isFor = (audience: readonly string[], { aud, client_id: clientId }: JWTPayload): boolean =>
  [aud ?? clientId].flat().some((name) => typeof name === 'string' && audience.includes(name));

/** By `token_use` (Cognito), `typ` (Keycloak), or a hash that ties it to another token (OpenID Connect). */
const isIdToken = ({ token_use: use, typ, at_hash: atHash, c_hash: cHash }: JWTPayload): boolean =>
  (use !== undefined && use !== 'access') || typ === 'ID' || atHash !== undefined || cHash !== undefined;

/**
 * Whether each part is the canonical base64url text of its bytes. The last character can contain unused bits.
 */
const isCanonical = (token: string): boolean =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
