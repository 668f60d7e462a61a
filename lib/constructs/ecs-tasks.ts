import { Lazy } from 'aws-cdk-lib';
import { SubnetType } from 'aws-cdk-lib/aws-ec2';
import {
  Compatibility,
  type ICluster,
  type ITaskDefinition,
  NetworkMode,
  TaskDefinition,
} from 'aws-cdk-lib/aws-ecs';

import type { EcsLaunch } from '../../lambdas/core/contracts/ecs-launch';
import type { AddEcsOptions } from '../added-target';
import { passing, startingTasks } from './starting-tasks';

/** How a cluster starts the tasks of a task definition, as the stack says it. */
export function launchOf(
  { networkMode, compatibility }: ITaskDefinition,
  cluster: ICluster,
  { launchType, capacityProviders, vpcSubnets, securityGroups, assignPublicIp }: AddEcsOptions,
): EcsLaunch {
  const onFargate = compatibility === Compatibility.FARGATE ? ('FARGATE' as const) : undefined;
  const type = capacityProviders ? undefined : (launchType ?? onFargate);
  const { subnetIds: subnets } =
    networkMode === NetworkMode.AWS_VPC
      ? cluster.vpc.selectSubnets(vpcSubnets ?? { subnetType: SubnetType.PRIVATE_WITH_EGRESS })
      : { subnetIds: undefined };
  return {
    ...(type && { launchType: type }),
    ...(capacityProviders && { capacityProviders }),
    ...(subnets && {
      subnets,
      ...(securityGroups && { securityGroups: securityGroups.map((one) => one.securityGroupId) }),
      ...(assignPublicIp !== undefined && { assignPublicIp }),
    }),
  };
}

/** The container that a task definition of this program starts first; undefined: there is none. */
export const defaultContainerOf = (task: ITaskDefinition): string | undefined =>
  task instanceof TaskDefinition ? task.defaultContainer?.containerName : undefined;

/** The permissions of the executor. A task definition may get its second role after this call. */
export function startingTask(task: ITaskDefinition, { clusterArn }: ICluster) {
  const roles = Lazy.list({
    produce: () => [task.taskRole, task.executionRole].flatMap((role) => role?.roleArn ?? []),
  });
  const starting = startingTasks({
    taskDefinitions: [task.taskDefinitionArn],
    clusters: [clusterArn],
    roles: [],
  });
  return { starting, passing: passing(roles) };
}
