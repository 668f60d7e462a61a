import { readFileSync } from 'node:fs';

import type { FunctionSpec, LocalStack } from '../template/stack';
import { LOCAL_AUDIENCE, LOCAL_ISSUER } from './issuer';
import { LOCAL_CLIENT } from './sign-in/authorization-request';

/** Variables of an authorizer's function that say whose tokens it accepts. */
const ISSUER = 'ISSUER';
/** Variable of the API's function that says how programs sign users in, as JSON; `null`: it does not say. */
const SIGN_IN = 'SIGN_IN';

/** Variable of an authorizer's function with the ids of programs that get tokens for themselves, as JSON. */
const MACHINE_CLIENT_IDS = 'MACHINE_CLIENT_IDS';
/** Variable with the path of the settings file, which has the API's callback URLs. */
const SETTINGS_FILE = 'SETTINGS_FILE';

interface SignIn {
  issuer: string;
  /** The console has its own here, and the API has none. */
  callbackUrls?: string[];
}

interface TrustDeps {
  /** The URL of the local run: the audience of the tokens that its sign-in page leads to. */
  audience: string;
  /** Where the local run serves the key set of its issuer. */
  jwksUri: string;
  /** Receives a line if the local issuer replaces another. */
  out(line: string): void;
}

/**
 * The stack with authorizers that accept the tokens of the local issuer. The local run has no others, and its
 * issuer has no host name. So its authorizers read the keys from the local run itself, unchanged otherwise.
 */
export function trustLocalIssuer(stack: LocalStack, { audience, jwksUri, out }: TrustDeps): LocalStack {
  const authorizers = new Set(stack.httpApi.routes.map(({ authorizer }) => authorizer?.functionArn));
  const trusting = (one: FunctionSpec): FunctionSpec => {
    const issuer = one.environment[ISSUER];
    if (!authorizers.has(one.arn) || issuer === undefined) return one;
    const isLocal = issuer === LOCAL_ISSUER;
    if (!isLocal) out(`tokens of ${LOCAL_ISSUER} replace those of ${issuer}`);
    const identity = { [ISSUER]: LOCAL_ISSUER, AUDIENCE: JSON.stringify([LOCAL_AUDIENCE, audience]) };
    return { ...one, environment: { ...one.environment, ...identity, JWKS_URI: jwksUri } };
  };
  const signingIn = (one: FunctionSpec): FunctionSpec => {
    const known = signInOf(one);
    return known ? { ...one, environment: { ...one.environment, [SIGN_IN]: localSignIn(known) } } : one;
  };
  return { ...stack, functions: stack.functions.map(trusting).map(signingIn) };
}

/** Where the sign-in of a stack may send a browser back to. */
export const callbackUrlsOf = ({ functions }: LocalStack): string[] => [
  ...new Set(functions.flatMap((one) => [...(signInOf(one)?.callbackUrls ?? []), ...listedIn(one)])),
];

function listedIn({ environment: { [SETTINGS_FILE]: path } }: FunctionSpec): string[] {
  if (path === undefined) return [];
  const { SIGN_IN_LISTS } = JSON.parse(readFileSync(path, 'utf8')) as {
    SIGN_IN_LISTS: { callbackUrls: string[] };
  };
  return SIGN_IN_LISTS.callbackUrls;
}

/** Ids of the programs that may get tokens for themselves. */
export const machineClientsOf = ({ functions }: LocalStack): string[] =>
  functions.flatMap(({ environment }) => JSON.parse(environment[MACHINE_CLIENT_IDS] ?? '[]') as string[]);

const signInOf = ({ environment }: FunctionSpec): SignIn | null =>
  JSON.parse(environment[SIGN_IN] ?? 'null') as SignIn | null;

/** The page of the local run stands in for that of any issuer. */
const localSignIn = (known: SignIn): string =>
  JSON.stringify({
    ...known,
    issuer: LOCAL_ISSUER,
    clientId: LOCAL_CLIENT,
    authorizationEndpoint: '/_local/sign-in',
    tokenEndpoint: '/_local/token',
  });
