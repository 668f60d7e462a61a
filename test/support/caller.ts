import { projectsOf, scopesOf, subjectOf } from '../../lambdas/authorizer/claims';
import type { Caller } from '../../lambdas/api/admit';
import type { Identity } from '../../lambdas/core/domain/identity';
import { contextOf, type IdentityContext } from '../../lambdas/core/domain/identity-context';

/** An identity as the authorizer gives it: the owner of a project alone, with these scopes. */
export const identityOf = (
  project: string,
  scopes: readonly string[],
  overrides: Partial<Identity> = {},
): Identity => ({
  sub: project,
  name: null,
  kind: 'person',
  projects: [{ name: project, role: 'owner' }],
  scopes,
  expiresAt: Number.MAX_SAFE_INTEGER,
  ...overrides,
});

/** The part of an incoming request that its token gives: the owner of a project alone, with these scopes. */
export const callerOf = (project: string, ...scopes: readonly string[]): { caller: Caller } => ({
  caller: { via: 'authorizer', verification: identityOf(project, scopes) },
});

/** What the authorizer tells the API about a token with these claims, in a deployment of single users. */
export const contextOfClaims = (
  claims: Readonly<Record<string, unknown>>,
  overrides: Partial<Identity> = {},
): IdentityContext =>
  contextOf({
    ...identityOf(subjectOf(claims), scopesOf(claims)),
    projects: projectsOf(claims, { from: 'sub', groupsClaim: 'cognito:groups' }),
    ...overrides,
  });
