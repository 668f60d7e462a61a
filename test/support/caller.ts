import type { ApiRequest } from '../../lambdas/api/request';

/** The part of a request that its token gives: the owner of a project alone, with these scopes. */
export const callerOf = (
  project: string,
  ...scopes: readonly string[]
): Pick<ApiRequest, 'project' | 'by' | 'scopes'> => ({
  project,
  by: { sub: project, name: null, via: 'token' },
  scopes: new Set(scopes),
});
