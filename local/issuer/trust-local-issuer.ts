import type { FunctionSpec, LocalStack } from '../template/stack';
import { LOCAL_AUDIENCE, LOCAL_ISSUER } from './issuer';

/** Variables of an authorizer's function that say whose tokens it accepts. */
const ISSUER = 'ISSUER';

interface TrustDeps {
  /** Where the local run serves the key set of its issuer. */
  jwksUri: string;
  /** Receives a line if the local issuer replaces another. */
  out(line: string): void;
}

/**
 * The stack with authorizers that accept the tokens of the local issuer. The local run has no others, and its
 * issuer has no host name. So its authorizers read the keys from the local run itself, unchanged otherwise.
 */
export function trustLocalIssuer(stack: LocalStack, { jwksUri, out }: TrustDeps): LocalStack {
  const authorizers = new Set(stack.httpApi.routes.map(({ authorizer }) => authorizer?.functionArn));
  const trusting = (one: FunctionSpec): FunctionSpec => {
    const issuer = one.environment[ISSUER];
    if (!authorizers.has(one.arn) || issuer === undefined) return one;
    const isLocal = issuer === LOCAL_ISSUER;
    if (!isLocal) out(`tokens of ${LOCAL_ISSUER} replace those of ${issuer}`);
    const identity = { [ISSUER]: LOCAL_ISSUER, AUDIENCE: JSON.stringify([LOCAL_AUDIENCE]) };
    return {
      ...one,
      environment: { ...one.environment, ...(!isLocal && identity), JWKS_URI: jwksUri },
    };
  };
  return { ...stack, functions: stack.functions.map(trusting) };
}
