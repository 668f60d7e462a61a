import type { RunTaskCommandInput } from '@aws-sdk/client-ecs';

import type { EcsClusters, EcsLaunch } from '../../contracts/ecs-launch';
import { jobRefOf } from '../../contracts/tables';
import type { EcsTarget } from '../../domain/target';
import { environmentOf, faultOfOverrides, type StartOfWork } from './work-input';

type Task = Omit<RunTaskCommandInput, 'count' | 'clientToken' | 'startedBy'>;

/**
 * The task of a start: never with a role, an image or a network that a job names. The payload and what names
 * the execution are variables of one container.
 */
export function taskOf(
  target: EcsTarget,
  start: StartOfWork,
  clusters: EcsClusters,
): { task: Task } | { fault: string } {
  const { taskDefinitionArn, clusterArn, container, environment, command, cpu, memory } = target;
  const launch = Object.hasOwn(clusters, clusterArn) ? clusters[clusterArn] : undefined;
  const { jobId } = jobRefOf(start.run.jobKey);
  const task = {
    cluster: clusterArn,
    taskDefinition: taskDefinitionArn,
    ...placed(launch ?? {}),
    // Bills can be split by it.
    tags: [{ key: 'quarterjack:job', value: jobId }],
  };
  if (container === undefined) return { task };
  const ofContainer = {
    name: container,
    environment: environmentOf(start, environment),
    ...(command && { command }),
    ...(cpu !== undefined && { cpu }),
    ...(memory !== undefined && { memory }),
  };
  const overrides = { containerOverrides: [ofContainer] };
  const fault = faultOfOverrides(overrides);
  return fault === undefined ? { task: { ...task, overrides } } : { fault };
}

const placed = ({ launchType, capacityProviders, subnets, ...network }: EcsLaunch): Partial<Task> => ({
  ...(launchType && { launchType }),
  ...(capacityProviders && {
    capacityProviderStrategy: capacityProviders.map((capacityProvider) => ({ capacityProvider, weight: 1 })),
  }),
  ...(subnets && {
    networkConfiguration: {
      awsvpcConfiguration: {
        subnets: [...subnets],
        ...(network.securityGroups && { securityGroups: [...network.securityGroups] }),
        assignPublicIp: network.assignPublicIp ? 'ENABLED' : 'DISABLED',
      },
    },
  }),
});
