import { NotFoundError, Quarterjack } from '../../client';
import { CliError } from '../exit-codes';
import type { Io } from '../io';
import { isLoopback } from '../url';

/** How to sign in to an API, checked: a token for it is asked only of its issuer. */
export interface SignInEndpoints {
  issuer: string;
  authorizationEndpoint: URL;
  tokenEndpoint: URL;
  clientId: string;
  scopes: readonly string[];
  callbackUrls: readonly string[];
}

/**
 * What `GET /v1/sign-in` says, checked: endpoints are https, and of the issuer's origin or named by the
 * issuer's own discovery document. Otherwise an API could send the user's code to a server of its own. The
 * local run signs in at its own origin on this machine. Throws a `CliError`.
 */
export async function signInEndpoints(url: string, io: Io): Promise<SignInEndpoints> {
  const described = await new Quarterjack({ url, ...io.connection }).signIn().catch((cause: unknown) => {
    if (!(cause instanceof NotFoundError)) throw cause;
    throw new CliError(
      `${url} does not say how to sign in; use --token-stdin or --token-command`,
      undefined,
      {
        cause,
      },
    );
  });
  const { issuer, clientId, scopes, callbackUrls } = described;
  const endpoints = {
    authorizationEndpoint: endpointOf(described.authorizationEndpoint, url, 'authorizationEndpoint'),
    tokenEndpoint: endpointOf(described.tokenEndpoint, url, 'tokenEndpoint'),
  };
  const isLocal = (endpoint: URL) => isLoopback(endpoint) && endpoint.origin === new URL(url).origin;
  const strangers = Object.values(endpoints).filter(
    (endpoint) => !isLocal(endpoint) && !isOfIssuer(endpoint, issuer),
  );
  if (strangers.length > 0) await checkDiscovered(endpoints, issuer, io);
  return { issuer, clientId, scopes, callbackUrls, ...endpoints };
}

function endpointOf(text: string, url: string, field: string): URL {
  const endpoint = URL.canParse(text, url) ? new URL(text, url) : undefined;
  if (endpoint && (endpoint.protocol === 'https:' || (endpoint.protocol === 'http:' && isLoopback(endpoint))))
    return endpoint;
  throw new CliError(`the ${field} of ${url} is ${JSON.stringify(text)}; expected an https URL`);
}

const isOfIssuer = (endpoint: URL, issuer: string): boolean =>
  URL.canParse(issuer) && endpoint.protocol === 'https:' && endpoint.origin === new URL(issuer).origin;

/** Throws a `CliError` unless the issuer itself names these endpoints (OpenID Connect Discovery 1.0). */
async function checkDiscovered(
  { authorizationEndpoint, tokenEndpoint }: Pick<SignInEndpoints, 'authorizationEndpoint' | 'tokenEndpoint'>,
  issuer: string,
  io: Io,
): Promise<void> {
  const refuse = (reason: string, cause?: unknown) =>
    new CliError(
      `the endpoints ${authorizationEndpoint.href} and ${tokenEndpoint.href} are not known to belong to the issuer ${issuer}: ${reason}`,
      undefined,
      { cause },
    );
  if (!URL.canParse(issuer) || new URL(issuer).protocol !== 'https:')
    throw refuse('the issuer is not an https URL');
  const oauth = await import('oauth4webapi');
  const discovered = await oauth
    .discoveryRequest(new URL(issuer), { [oauth.customFetch]: io.fetch })
    .then((response) => oauth.processDiscoveryResponse(new URL(issuer), response))
    .catch((cause: unknown) => {
      throw refuse('its discovery document could not be read', cause);
    });
  const named = [discovered.authorization_endpoint, discovered.token_endpoint];
  if (!named.includes(authorizationEndpoint.href) || !named.includes(tokenEndpoint.href))
    throw refuse('its discovery document names others');
}
