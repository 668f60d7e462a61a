import { ADMIN_SCOPE, type Scope } from '../../core/contracts/roles';
import type { MeView } from '../../core/http/openapi/project';
import type { OperationHandler } from '../request';

/**
 * 200 with the caller, its rights in the project, and what it needs to know of the deployment. One read unit.
 */
export const getMe: OperationHandler = async ({ by, project, role, identity, scopes }, deps) => {
  const { deployment, settings, retentionDays } = deps;
  const hasEnded = project !== '' && (await deps.users.secretVersions(project)).ended === true;
  const body: MeView = {
    by,
    project: project === '' ? null : project,
    role,
    projects: identity!.projects.map((one) => ({ name: one.name, role: one.role })),
    // A role has no `admin`, and no project takes it away.
    scopes: [...new Set([...scopes, ...identity!.scopes.filter((one) => one === ADMIN_SCOPE)])] as Scope[],
    stage: deployment.stage,
    version: deployment.version,
    region: settings.awsTargets.region,
    pools: [...settings.pools],
    quotas: deployment.quotas,
    retentionDays,
    targetPolicy: settings.targetPolicy === 'public' ? 'public' : 'loopback',
    signing: { legacy: settings.legacySigning !== false && !hasEnded },
  };
  return { status: 200, body };
};
