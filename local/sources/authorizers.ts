import { LOCAL_AUDIENCE, LOCAL_ISSUER, type PublicKey } from '../issuer/issuer';
import type { Clock } from '../machine/clock';
import type { RouteSpec } from '../template/stack';
import { type JwtAuthorizer, jwtAuthorizer } from './jwt-authorizer';

interface AuthorizersDeps {
  /** Key of the local issuer. */
  key: PublicKey;
  clock: Clock;
  /** Receives one line per issuer that the local issuer replaces. */
  out(line: string): void;
}

/**
 * The authorizer of each route. The local run has tokens only of the local issuer. If the template names
 * another issuer, the local one replaces it.
 */
export function authorizersOf(
  routes: readonly RouteSpec[],
  { key, clock, out }: AuthorizersDeps,
): (route: RouteSpec) => JwtAuthorizer {
  const byIssuer = new Map<string, JwtAuthorizer>();
  for (const { authorizer } of routes) {
    if (!authorizer || byIssuer.has(authorizer.issuer)) continue;
    const isLocal = authorizer.issuer === LOCAL_ISSUER;
    if (!isLocal) out(`tokens of ${LOCAL_ISSUER} replace those of ${authorizer.issuer}`);
    const { issuer, audience } = isLocal ? authorizer : { issuer: LOCAL_ISSUER, audience: [LOCAL_AUDIENCE] };
    byIssuer.set(authorizer.issuer, jwtAuthorizer({ issuer, audience, key, clock }));
  }
  return ({ authorizer }) => {
    const found = byIssuer.get(authorizer?.issuer ?? '');
    if (found === undefined) throw new Error('the route has no authorizer');
    return found;
  };
}
