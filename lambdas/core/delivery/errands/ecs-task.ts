import type { RunTaskCommandInput } from '@aws-sdk/client-ecs';

import { instantText } from '../../clock/clock';
import type { EcsClusters, EcsLaunch } from '../../contracts/ecs-launch';
import { jobRefOf } from '../../contracts/tables';
import type { EcsTarget } from '../../domain/target';
import { ERRAND_VARIABLE } from './ecs-end';
import type { ErrandStart } from './errand-kind';

/** What ECS allows for all overrides of a task, as JSON. */
const MAX_OVERRIDES_LENGTH = 8_192;

type Start = Omit<ErrandStart, 'target'>;
type Task = Omit<RunTaskCommandInput, 'count' | 'clientToken' | 'startedBy'>;

/**
 * The task of a start: never with a role, an image or a network that a job names. The payload and what names
 * the execution are variables of one container. They hold no token and no secret: ECS shows them. No
 * attempt's number is among them, since a repeated start has to be the same.
 */
export function taskOf(
  { taskDefinitionArn, clusterArn, container, environment = {} }: EcsTarget,
  start: Start,
  clusters: EcsClusters,
): { task: Task } | { fault: string } {
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
  const variables = { ...environment, ...variablesOf(start) };
  const overrides = {
    containerOverrides: [
      {
        name: container,
        // A repeated start is the same to ECS, in whatever order a table returns the variables.
        environment: Object.entries(variables)
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, value]) => ({ name, value })),
      },
    ],
  };
  const { length } = JSON.stringify(overrides);
  if (length <= MAX_OVERRIDES_LENGTH) return { task: { ...task, overrides } };
  return {
    fault:
      `payload and environment make overrides of ${length} characters; ` +
      `ECS allows ${MAX_OVERRIDES_LENGTH} for a task`,
  };
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

const variablesOf = ({ name, input, run }: Start): Record<string, string> => ({
  QUARTERJACK_PAYLOAD: input,
  QUARTERJACK_ID: run.deliveryId,
  [ERRAND_VARIABLE]: name,
  QUARTERJACK_JOB: jobRefOf(run.jobKey).jobId,
  QUARTERJACK_EXECUTION: run.execId,
  QUARTERJACK_DUE: instantText(run.dueAtMs),
});
