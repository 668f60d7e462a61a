import type { ApiRequest } from '../../lambdas/api/request';
import { scopesWithImplied } from '../../lambdas/core/domain/identity';

/** The part of a request that its token gives: the owner of a project alone, with these scopes. */
export const callerOf = (
  project: string,
  ...scopes: readonly string[]
): Pick<ApiRequest, 'project' | 'by' | 'role' | 'scopes'> => ({
  project,
  by: { sub: project, name: null, via: 'token' },
  role: 'owner',
  scopes: scopesWithImplied(scopes, 'person'),
});
