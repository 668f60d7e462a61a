/** The id of the only client. It is public: it has no secret. */
export const LOCAL_CLIENT = 'local';

/** What a program asks of the sign-in page: RFC 6749 4.1.1, RFC 7636 4.3. */
export interface AuthorizationRequest {
  redirectUri: string;
  /** Scopes, separated by spaces. */
  scope: string;
  state: string | undefined;
  nonce: string | undefined;
  /** SHA-256 of the verifier, in base64url. */
  codeChallenge: string;
}

/** Base64url of 32 bytes. */
const CHALLENGE = /^[\w-]{43}$/;

/**
 * Checks the query of the sign-in page. A text says what is wrong with it. Such a request is answered here
 * and never by a redirect, because its redirect URI cannot be trusted.
 *
 * @param callbackUrls where the redirect may lead to
 */
export function authorizationRequest(
  query: URLSearchParams,
  callbackUrls: readonly string[],
): AuthorizationRequest | string {
  const redirectUri = query.get('redirect_uri') ?? '';
  if (query.get('client_id') !== LOCAL_CLIENT) return `client_id is not ${LOCAL_CLIENT}`;
  if (!callbackUrls.includes(redirectUri))
    return `redirect_uri is ${JSON.stringify(redirectUri)}; expected one of ${callbackUrls.join(', ')}`;
  if (query.get('response_type') !== 'code') return 'response_type is not code';
  const codeChallenge = query.get('code_challenge') ?? '';
  if (query.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(codeChallenge))
    return 'code_challenge is not a SHA-256 in base64url with the code_challenge_method S256';
  return {
    redirectUri,
    scope: query.get('scope') ?? '',
    state: query.get('state') ?? undefined,
    nonce: query.get('nonce') ?? undefined,
    codeChallenge,
  };
}
