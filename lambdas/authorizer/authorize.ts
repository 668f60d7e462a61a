import { hasKeyPrefix } from '../core/api-keys/key-format';
import type { MachineClient } from '../core/contracts/machine-clients';
import type { ProjectSource } from '../core/contracts/projects';
import type { Verification } from '../core/domain/identity';
import { contextOf, type IdentityContext } from '../core/domain/identity-context';
import { kindOf, machineClientOf, projectsOf, scopesOf, subjectOf } from './claims';
import type { NameRequest } from './person-name';
import { verifyToken, type VerifyTokenDeps } from './verify-token';

/** The part of API Gateway's event, payload format 2.0, that the authorizer reads. */
export interface AuthorizerEvent {
  /** The `Authorization` header. API Gateway caches the result by it. */
  identitySource: readonly string[];
}

/** A simple response. */
export interface AuthorizerResult {
  /** Always: the API answers a problem itself, as `application/problem+json`. */
  isAuthorized: true;
  context: IdentityContext;
}

export interface AuthorizeDeps extends VerifyTokenDeps {
  projects: ProjectSource;
  machineClients: readonly MachineClient[];
  nameOf(request: NameRequest): Promise<string | null>;
  /** Whose an API key is, or why it is rejected. */
  verifyKey(key: string): Promise<Verification>;
}

const CREDENTIALS = /^Bearer +(\S+)$/i;

/**
 * Says whose the request's credentials are, or why they are rejected. It checks the credentials alone, never
 * the request. Rejects if the issuer's keys, or the rows of API keys, cannot be read. API Gateway then
 * answers 500, and caches nothing.
 */
export async function authorize(
  { identitySource }: AuthorizerEvent,
  deps: AuthorizeDeps,
): Promise<AuthorizerResult> {
  const credentials = CREDENTIALS.exec(identitySource[0] ?? '')?.[1] ?? '';
  const verification = hasKeyPrefix(credentials)
    ? await deps.verifyKey(credentials)
    : await identityOfToken(credentials, deps);
  return { isAuthorized: true, context: contextOf(verification) };
}

async function identityOfToken(token: string, deps: AuthorizeDeps): Promise<Verification> {
  const verified = await verifyToken(token, deps);
  if ('problem' in verified) return verified;
  const { claims } = verified;
  const sub = subjectOf(claims);
  const kind = kindOf(claims);
  const machine = machineClientOf(claims, deps.machineClients);
  return {
    sub,
    name: machine ? machine.name : await deps.nameOf({ token, claims, sub, kind }),
    kind,
    projects: machine ? [{ name: machine.project, role: machine.role }] : projectsOf(claims, deps.projects),
    scopes: scopesOf(claims),
    expiresAt: Math.min(claims.exp * 1_000, Number.MAX_SAFE_INTEGER),
  };
}
