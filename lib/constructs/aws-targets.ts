import { PolicyStatement } from 'aws-cdk-lib/aws-iam';

import {
  type AllowedArns,
  EVERY_PROJECT,
  roleOf,
  TARGET_RESOURCES,
  type TargetRoles,
} from '../../lambdas/core/contracts/target-resources';
import type { StageConfig } from '../config/stage-config';
import type { AddedTargets } from './added-targets';
import type { Binding } from './binding';

type Config = Pick<StageConfig, 'allowedTargetArns' | 'assumeRole'>;

const serviceOf = (arn: string): string => arn.split(':')[2] ?? '';

/**
 * The permission for exactly the ARNs that targets may have, and for the roles that they are called under.
 * Without ARNs it permits nothing. `added` grants its own.
 */
export function awsTargets(config: Config, added: AddedTargets): Binding<'ADDED_TARGET_ARNS'> {
  const roles = rolesOf(config);
  const direct = directArnsOf(config);
  const deliveries = Object.values(TARGET_RESOURCES).flatMap(({ service, action }) => {
    const resources = direct.filter((arn) => serviceOf(arn) === service);
    return resources.length === 0 ? [] : [new PolicyStatement({ actions: [action], resources })];
  });
  const roleArns = [...new Set(Object.values(roles).map(({ roleArn }) => roleArn))];
  const assuming = new PolicyStatement({ actions: ['sts:AssumeRole'], resources: roleArns });
  return {
    env: { ADDED_TARGET_ARNS: added.asJson() },
    statements: roleArns.length === 0 ? deliveries : [...deliveries, assuming],
  };
}

/**
 * The ARNs that the executor calls under its own role: those of the projects that have no role. A list for
 * all projects is needed unless each project has a role.
 */
export function directArnsOf(config: Config): string[] {
  const roles = rolesOf(config);
  const byProject = Object.entries(allowedOf(config));
  return [...new Set(byProject.flatMap(([project, arns]) => (roleOf(roles, project) ? [] : arns)))];
}

export const allowedOf = ({ allowedTargetArns = [] }: Config): AllowedArns =>
  Array.isArray(allowedTargetArns) ? { [EVERY_PROJECT]: allowedTargetArns } : allowedTargetArns;

export const rolesOf = ({ assumeRole = {} }: Config): TargetRoles =>
  isOneRole(assumeRole) ? { [EVERY_PROJECT]: assumeRole } : assumeRole;

const isOneRole = (
  assumeRole: NonNullable<Config['assumeRole']>,
): assumeRole is TargetRoles[string] & NonNullable<Config['assumeRole']> =>
  typeof assumeRole.roleArn === 'string';
