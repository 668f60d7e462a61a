import { CliError, ExitCode } from '../exit-codes';
import type { Io } from '../io';
import type { Renewal } from '../profiles';
import type { Tokens } from './authorize';

/**
 * A new access token for a refresh token, which the issuer may replace (RFC 6749 6). Throws a `CliError` if
 * the issuer no longer accepts it.
 */
export async function renew(renewal: Renewal, io: Pick<Io, 'fetch'>): Promise<Tokens> {
  const oauth = await import('oauth4webapi');
  const { issuer, tokenEndpoint, clientId, refreshToken } = renewal;
  const server = { issuer, token_endpoint: tokenEndpoint };
  const client = { client_id: clientId };
  const options = { [oauth.customFetch]: io.fetch, [oauth.allowInsecureRequests]: true };
  try {
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.None(),
      refreshToken,
      options,
    );
    const granted = await oauth.processRefreshTokenResponse(server, client, response);
    return {
      token: granted.access_token,
      renewal: { ...renewal, refreshToken: granted.refresh_token ?? refreshToken },
    };
  } catch (cause) {
    if (cause instanceof oauth.ResponseBodyError)
      throw new CliError(
        `the sign-in has ended (${cause.error}); run quarterjack login again`,
        ExitCode.notAllowed,
        { cause },
      );
    throw new CliError(
      `${tokenEndpoint} did not renew the token: ${(cause as Error).message}`,
      ExitCode.unavailable,
      {
        cause,
      },
    );
  }
}
