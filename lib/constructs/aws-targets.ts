import { PolicyStatement } from 'aws-cdk-lib/aws-iam';

import {
  type AllowedArns,
  EVERY_PROJECT,
  isResource,
  RUNS_IN,
  roleOf,
  TARGET_RESOURCES,
  type TargetRoles,
} from '../../lambdas/core/contracts/target-resources';
import type { StageConfig } from '../config/stage-config';
import type { AddedTargets } from './added-targets';
import type { Binding } from './binding';
import { startingTasks } from './starting-tasks';

export type TargetConfig = Pick<StageConfig, 'allowedTargetArns' | 'assumeRole' | 'errands'>;

export const serviceOf = (arn: string): string => arn.split(':')[2] ?? '';

/**
 * The permission for exactly the ARNs that targets may have, and for the roles that they are called under.
 * Without ARNs it permits nothing. `added` grants its own.
 */
export function awsTargets(
  config: TargetConfig,
  added: AddedTargets,
): Binding<'ADDED_TARGET_ARNS' | 'ADDED_ACTIONS' | 'ACTIONS_PATH' | 'ERRANDS'> {
  const direct = directArnsOf(config);
  const ofType = (type: Parameters<typeof isResource>[0]) => direct.filter((arn) => isResource(type, arn));
  const { ecs, batch, ...called } = TARGET_RESOURCES;
  const deliveries = Object.values(called).flatMap((type) => {
    const resources = ofType(type);
    return resources.length === 0 ? [] : [new PolicyStatement({ actions: [type.action], resources })];
  });
  const tasks = startingTasks({
    taskDefinitions: ofType(ecs),
    clusters: ofType(RUNS_IN.ecs),
    roles: config.errands.ecs.passRoles,
  });
  return {
    env: {
      ADDED_TARGET_ARNS: added.asJson(),
      ADDED_ACTIONS: added.actionsAsJson(),
      ACTIONS_PATH: added.actionsPath(),
      ERRANDS: added.watchedAsJson(),
    },
    statements: [
      ...deliveries,
      ...tasks,
      ...submitting(ofType(batch), ofType(RUNS_IN.batch)),
      ...assuming(config),
    ],
  };
}

/** Permission to submit jobs of Batch: one call needs it for the definition and for the queue. */
export const submitting = (definitions: readonly string[], queues: readonly string[]): PolicyStatement[] =>
  definitions.length === 0 || queues.length === 0
    ? []
    : [
        new PolicyStatement({
          actions: [TARGET_RESOURCES.batch.action],
          resources: [...definitions, ...queues],
        }),
      ];

/** Permission to assume the roles that targets are called under. */
export function assuming(config: TargetConfig): PolicyStatement[] {
  const resources = [...new Set(Object.values(rolesOf(config)).map(({ roleArn }) => roleArn))];
  return resources.length === 0 ? [] : [new PolicyStatement({ actions: ['sts:AssumeRole'], resources })];
}

/**
 * The ARNs that the executor calls under its own role: those of the projects that have no role. A list for
 * all projects is needed unless each project has a role.
 */
export function directArnsOf(config: TargetConfig): string[] {
  const roles = rolesOf(config);
  const byProject = Object.entries(allowedOf(config));
  return [...new Set(byProject.flatMap(([project, arns]) => (roleOf(roles, project) ? [] : arns)))];
}

export const allowedOf = ({ allowedTargetArns = [] }: TargetConfig): AllowedArns =>
  Array.isArray(allowedTargetArns) ? { [EVERY_PROJECT]: allowedTargetArns } : allowedTargetArns;

export const rolesOf = ({ assumeRole = {} }: TargetConfig): TargetRoles =>
  isOneRole(assumeRole) ? { [EVERY_PROJECT]: assumeRole } : assumeRole;

const isOneRole = (
  assumeRole: NonNullable<TargetConfig['assumeRole']>,
): assumeRole is TargetRoles[string] & NonNullable<TargetConfig['assumeRole']> =>
  typeof assumeRole.roleArn === 'string';
