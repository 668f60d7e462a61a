import { isName, isReservedName } from '../core/contracts/projects';
import type { Role } from '../core/contracts/roles';
import { isPublic, projectScopeOf, type Route } from '../core/contracts/routes';
import {
  type Identity,
  type ProjectRole,
  scopesInProject,
  scopesWithImplied,
  type Verification,
} from '../core/domain/identity';
import type { Actor } from '../core/domain/actor';
import { PROJECT_HEADER } from '../core/http/fields';
import { forbidden, invalidField, invalidToken } from './http/problem';
import type { ApiRequest } from './request';

/** The part of a request that follows from who sent it. */
export type Admission = Pick<ApiRequest, 'project' | 'role' | 'by' | 'identity' | 'scopes'>;

/** A request before `admit` has said whose it is. No operation takes it. */
export interface IncomingRequest extends Omit<ApiRequest, keyof Admission> {
  /** Who sent it, as the authorizer says; undefined on routes without an authorizer. */
  caller: Caller | undefined;
}

export type Caller =
  | { via: 'authorizer'; verification: Verification }
  /** A part of the deployment, which invoked the function itself. API Gateway never sends this. */
  | { via: 'system'; identity: Identity };

/** The project that a request names; undefined if it names none. */
export const projectNamedIn = (headers: ApiRequest['headers']): string | undefined =>
  headers[PROJECT_HEADER.toLowerCase()];

const NO_CALLER: Admission = {
  project: '',
  role: null,
  identity: null,
  by: { sub: '', name: null, via: 'token' },
  scopes: new Set(),
};

/**
 * Says for whom the request is served, and as what. Nothing else says a request's project, actor or scopes.
 *
 * Throws `ProblemError`. 401: the token is rejected or has expired. 400: the project is not clear. 403: the
 * token or its role does not permit the operation.
 */
export function admit(request: IncomingRequest, nowMs: number): ApiRequest {
  const { caller: _caller, ...rest } = request;
  return { ...rest, ...admissionOf(request, nowMs) };
}

function admissionOf(request: IncomingRequest, nowMs: number): Admission {
  const route: Route = request.route;
  // The token of an attempt and a key for pings name no project: their operations check them.
  if (isPublic(route.auth)) return NO_CALLER;
  const identity = identityOf(request, nowMs);
  const by = actorOf(identity, request.caller?.via === 'system');
  const scopes = scopesWithImplied(identity.scopes, identity.kind);
  if (route.auth === 'admin') {
    requireScope('admin', scopes);
    return { project: '', role: null, by, identity, scopes };
  }
  const isOptional = route.auth === 'token';
  const chosen = projectOf(identity, projectNamedIn(request.headers), isOptional);
  if (!chosen) return { project: '', role: null, by, identity, scopes };
  const { name: project, role } = chosen;
  if (isReservedName(project) && by.via !== 'system')
    throw forbidden(`the project ${project} is kept for the deployment itself`);
  const inProject = scopesInProject(role, identity);
  const scope = projectScopeOf(route);
  if (scope !== undefined) {
    requireScope(scope, scopes);
    if (!inProject.has(scope))
      throw forbidden(`the role ${role} in the project ${project} lacks the scope ${scope}`);
  }
  if (route.ownerOnly) requireOwner(role, project);
  return { project, role, by, identity, scopes: inProject };
}

/** Throws `ProblemError` 401, or 403 if the token's subject cannot be an actor. */
function identityOf({ caller }: IncomingRequest, nowMs: number): Identity {
  if (caller === undefined) throw invalidToken('the request has no verified token');
  if (caller.via === 'system') return caller.identity;
  const { verification } = caller;
  if ('problem' in verification) throw invalidToken(verification.problem);
  if (verification.expiresAt <= nowMs) throw invalidToken('the token has expired');
  // The authorizer gives an issuer's token no reserved subject. A key has the subject that created it, which
  // may be a part of the deployment.
  if (!isName(verification.sub))
    throw forbidden(
      'the token names no user: its claim "sub" must be 1 to 512 characters, and not begin with "#" or "quarterjack-"',
    );
  return verification;
}

export function actorOf({ sub, name, keyName }: Identity, isSystem: boolean): Actor {
  if (isSystem) return { sub, name, via: 'system' };
  return { sub, name, via: keyName === undefined ? 'token' : `key:${keyName}` };
}

/** The project that the header names, or the only one. Undefined: there are several, and none is needed. */
function projectOf(
  { projects }: Identity,
  header: string | undefined,
  isOptional: boolean,
): ProjectRole | undefined {
  const [only, ...others] = projects;
  if (header !== undefined) return namedProject(projects, header);
  if (only && others.length === 0) return only;
  if (isOptional) return undefined;
  if (!only) throw forbidden('the token names no project');
  const names = projects.map(({ name }) => name).join(', ');
  throw invalidField(
    PROJECT_HEADER,
    `is required, because the token has several projects; expected one of ${names}`,
  );
}

function namedProject(projects: readonly ProjectRole[], header: string): ProjectRole {
  const named = projects.find(({ name }) => name === header);
  if (named) return named;
  // API Gateway joins the values of a repeated header.
  if (header.includes(',')) throw invalidField(PROJECT_HEADER, 'was given twice; expected one name');
  throw forbidden(`the token has no project ${JSON.stringify(header)}`);
}

function requireScope(scope: string, scopes: ReadonlySet<string>): void {
  if (!scopes.has(scope)) throw forbidden(`the token lacks the scope ${scope}`);
}

function requireOwner(role: Role, project: string): void {
  if (role !== 'owner') throw forbidden(`the role ${role} in the project ${project} is not owner`);
}
