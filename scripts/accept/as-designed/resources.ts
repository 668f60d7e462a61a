import { paginateListEventSourceMappings, GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { GetScheduleCommand } from '@aws-sdk/client-scheduler';

import { type Finding, noProblems } from '../check';
import type { AwsSite } from '../site/site';
import { resourcesOf, stackOf } from '../site/stacks';

const COMPLETE = ['CREATE_COMPLETE', 'UPDATE_COMPLETE'];
/** Lambda's managed runtime of the template. */
const RUNTIME = 'nodejs24.x';

export async function stackComplete({ clients, stackName }: AwsSite): Promise<Finding> {
  const status = (await stackOf(clients.cloudFormation, stackName))?.StackStatus ?? 'not there';
  return { holds: COMPLETE.includes(status), detail: status };
}

export async function mappings({ clients, stackName }: AwsSite): Promise<Finding> {
  const expected = await resourcesOf(clients.cloudFormation, stackName, 'AWS::Lambda::EventSourceMapping');
  const states = new Map<string, string>();
  for await (const { EventSourceMappings = [] } of paginateListEventSourceMappings(
    { client: clients.lambda },
    {},
  ))
    for (const { UUID = '', State = '' } of EventSourceMappings) states.set(UUID, State);
  const problems = expected
    .filter((id) => states.get(id) !== 'Enabled')
    .map((id) => `${id} is ${states.get(id) ?? 'not there'}`);
  return noProblems(problems, `${expected.length} are enabled`);
}

export async function functions({ clients, stackName }: AwsSite): Promise<Finding> {
  const names = await resourcesOf(clients.cloudFormation, stackName, 'AWS::Lambda::Function');
  const problems: string[] = [];
  for (const FunctionName of names) {
    const { State, Runtime } = await clients.lambda.send(
      new GetFunctionConfigurationCommand({ FunctionName }),
    );
    // A function that nothing has invoked for weeks is inactive, and becomes active at the next invocation.
    if (State !== 'Active' || Runtime !== RUNTIME) problems.push(`${FunctionName} is ${State} on ${Runtime}`);
  }
  return noProblems(problems, `${names.length} are active on ${RUNTIME}`);
}

export async function schedules({ clients, stackName }: AwsSite): Promise<Finding> {
  const names = await resourcesOf(clients.cloudFormation, stackName, 'AWS::Scheduler::Schedule');
  const problems: string[] = [];
  for (const Name of names) {
    const { State } = await clients.scheduler.send(new GetScheduleCommand({ Name }));
    if (State !== 'ENABLED') problems.push(`${Name} is ${State}`);
  }
  return noProblems(problems, `${names.length} are enabled`);
}
