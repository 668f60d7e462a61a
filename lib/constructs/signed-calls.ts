import { roleOf, SIGNING_SERVICES } from '../../lambdas/core/contracts/target-resources';
import type { SessionRight } from '../../lambdas/core/contracts/session-rights';
import { signedByProject } from '../config/signed-calls';
import type { StageConfig } from '../config/stage-config';
import { rolesOf } from './aws-targets';

/** What the deployment's role for actions needs to sign: for the projects that have no role of their own. */
export const rightsToSign = (config: StageConfig): SessionRight[] =>
  Object.entries(signedByProject(config.signedCalls)).flatMap(([project, calls]) =>
    roleOf(rolesOf(config), project)
      ? []
      : calls.map(({ service, resources }) => ({ actions: SIGNING_SERVICES[service].actions, resources })),
  );
