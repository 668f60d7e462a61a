import type { Target } from '@aws-sdk/client-scheduler';

import { isObject } from '../../is-object';
import { overridesOf } from '../ecs-overrides';
import { type Json, neededText, Unmapped } from '../json';
import type { Called } from './called';

/** What the operator of a deployment says of a cluster, and no job. */
const BY_OPERATOR = ['LaunchType', 'NetworkConfiguration', 'CapacityProviderStrategy'] as const;
const WITHOUT_EFFECT = ['TaskDefinitionArn', 'TaskCount', 'EnableECSManagedTags', 'ReferenceId', 'Tags'];
/** The longest time of an attempt. */
const TIMEOUT = '7d';

/** A schedule that starts a task of ECS. Throws `Unmapped` for what no job may say. */
export function taskFromAws({ Arn: clusterArn = '', EcsParameters, Input }: Target, notes: string[]): Called {
  const given: Json = { ...EcsParameters };
  const taskDefinitionArn = neededText(given, 'TaskDefinitionArn');
  const other = Object.keys(given).find(
    (name) => given[name] !== undefined && ![...WITHOUT_EFFECT, ...BY_OPERATOR].includes(name),
  );
  if (other !== undefined) throw new Unmapped(`its EcsParameters.${other} has no counterpart`);
  const count = EcsParameters?.TaskCount ?? 1;
  if (count > 1) notes.push(`its TaskCount is ${count}, and a job starts one task: make a job for each`);
  for (const name of BY_OPERATOR)
    if (given[name] !== undefined)
      notes.push(`its ${name} is for errands.ecs.clusters of the deployment: ${JSON.stringify(given[name])}`);
  notes.push(
    'its execution ends as the task ends, after seven days at the latest; AWS only starts it, and retries only the start',
    'its roles are for errands.ecs.passRoles of the deployment',
  );
  return {
    target: {
      type: 'ecs',
      taskDefinitionArn,
      clusterArn,
      ...(Input !== undefined && Input !== '' && overridesOf(objectOf(Input))),
    },
    payload: undefined,
    called: [taskDefinitionArn, clusterArn],
    timeout: TIMEOUT,
    maxAttempts: 1,
  };
}

function objectOf(input: string): Json {
  try {
    const value: unknown = JSON.parse(input);
    if (isObject(value)) return value;
  } catch {
    // What is no JSON is no object either.
  }
  throw new Unmapped('its input is not a JSON object, so it overrides nothing of a task');
}
