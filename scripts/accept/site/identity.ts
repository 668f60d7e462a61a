import type { Identity } from '../../../lambdas/core/domain/identity';

/** The API refuses tokens for projects with this prefix, so no user has these jobs. */
const PROJECT = 'quarterjack-accept';

/** The operator, in a project that no token reaches. Projects are numbered, since quotas count for each. */
export const acceptIdentity = (project: number): Identity => ({
  sub: PROJECT,
  name: null,
  kind: 'client',
  projects: [{ name: `${PROJECT}-${project}`, role: 'owner' }],
  scopes: ['jobs:read', 'jobs:write', 'runs:operate', 'admin'],
  expiresAt: Number.MAX_SAFE_INTEGER,
});
