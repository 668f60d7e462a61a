import { Arn, ArnFormat } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';

import { TARGET_RESOURCES } from '../../lambdas/core/contracts/target-resources';

interface Startable {
  readonly taskDefinitions: readonly string[];
  readonly clusters: readonly string[];
  /** The roles of the task definitions. */
  readonly roles: string[];
}

/**
 * What the executor needs to start tasks of ECS: in these clusters alone, with a tag at their start alone.
 * The roles of a task go to ECS, and to no other service.
 */
export function startingTasks({ taskDefinitions, clusters, roles }: Startable): PolicyStatement[] {
  if (taskDefinitions.length === 0 || clusters.length === 0) return [];
  const starting = new PolicyStatement({
    actions: [TARGET_RESOURCES.ecs.action],
    resources: [...taskDefinitions],
    conditions: { ArnLike: { 'ecs:cluster': clusters } },
  });
  const tagging = new PolicyStatement({
    actions: ['ecs:TagResource'],
    resources: clusters.map(tasksOf),
    conditions: { StringEquals: { 'ecs:CreateAction': 'RunTask' } },
  });
  return roles.length === 0 ? [starting, tagging] : [starting, tagging, passing(roles)];
}

/** All tasks of a cluster, whose ARN may be known at deployment alone. */
function tasksOf(clusterArn: string): string {
  const parts = Arn.split(clusterArn, ArnFormat.SLASH_RESOURCE_NAME);
  return Arn.format({ ...parts, resource: 'task', resourceName: `${parts.resourceName}/*` });
}

export const passing = (roles: string[]): PolicyStatement =>
  new PolicyStatement({
    actions: ['iam:PassRole'],
    resources: roles,
    conditions: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
  });
