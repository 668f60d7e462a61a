import * as z from 'zod/mini';

/**
 * How a program signs a user in: OAuth 2.0 code flow with PKCE, without a client secret. The response of
 * `GET /v1/sign-in`.
 */
export const SignIn = z.strictObject({
  /** `iss` of the tokens. */
  issuer: z.string(),
  /** URL, or a path at the origin of the API. */
  authorizationEndpoint: z.string(),
  /** URL, or a path at the origin of the API. */
  tokenEndpoint: z.string(),
  clientId: z.string(),
  /** The scopes to ask for. */
  scopes: z.array(z.string()),
  /** Where the sign-in page may send the user back to. */
  callbackUrls: z.array(z.string()),
  /** Version of Quarterjack. */
  version: z.string(),
});
export type SignIn = z.infer<typeof SignIn>;

/**
 * How the console signs a user in: the response of `GET /console/config.json`. The optional fields are those
 * of Cognito, whose sign-out is not that of OpenID Connect.
 */
export const ConsoleSignIn = z.extend(SignIn, {
  /** Ends the session of the sign-in page. Takes `client_id` and `logout_uri`. */
  logoutEndpoint: z.optional(z.string()),
  /** Revokes a refresh token (RFC 7009). */
  revocationEndpoint: z.optional(z.string()),
});
export type ConsoleSignIn = z.infer<typeof ConsoleSignIn>;

/**
 * Where the command line waits for the code of a sign-in. An issuer compares callback URLs as texts, so the
 * ports are fixed. The command line takes the first that is free.
 */
export const CLI_CALLBACK_URLS: readonly string[] = [8788, 8789, 8790].map(
  (port) => `http://localhost:${port}/callback`,
);
