import { createHash } from 'node:crypto';

import type { EndEvent, MachineExecution, ServiceWays } from '../step-functions/execution';

const unqualified = (functionArn: string): string => functionArn.split(':', 7).join(':');

/** The version that runs. An alias here always names the first one. */
const versionOf = (functionArn: string): string => {
  const qualifier = functionArn.split(':')[7] ?? '';
  return /^(?:\d+|\$LATEST)$/.test(qualifier) ? qualifier : '1';
};

/** An id as Lambda's, the same for a name: whatever alias starts it, a name is used once. */
function durableArnOf(functionArn: string, name: string): string {
  const id = createHash('sha256')
    .update(`${unqualified(functionArn)} ${name}`)
    .digest('hex')
    .slice(0, 32);
  return `${unqualified(functionArn)}:${versionOf(functionArn)}/durable-execution/${name}/${id}`;
}

/** How Lambda spells the status of a durable execution. */
const statusOf = ({ status }: MachineExecution): string => (status === 'ABORTED' ? 'STOPPED' : status);

const functionArnOf = ({ machineArn }: MachineExecution): string =>
  `${unqualified(machineArn)}:${versionOf(machineArn)}`;

/** The answer of `GetDurableExecution`. Its result is its input. */
export const describedDurable = (execution: MachineExecution): object => ({
  ...listed(execution),
  InputPayload: execution.input,
  ...(execution.status === 'SUCCEEDED' && { Result: execution.input }),
  ...(execution.error !== undefined && {
    Error: { ErrorType: execution.error, ErrorMessage: execution.cause ?? '' },
  }),
  Version: versionOf(execution.machineArn),
});

/** What a list says of it. */
export const listed = (execution: MachineExecution): object => ({
  DurableExecutionArn: execution.arn,
  DurableExecutionName: execution.name,
  FunctionArn: functionArnOf(execution),
  Status: statusOf(execution),
  StartTimestamp: execution.startedMs / 1_000,
  ...(execution.stoppedMs !== undefined && { EndTimestamp: execution.stoppedMs / 1_000 }),
});

/** Its history, the oldest event first. All that it does is one wait. */
export const eventsOf = ({ status, startedMs, stoppedMs }: MachineExecution): object[] =>
  [
    { EventType: 'ExecutionStarted', atMs: startedMs },
    { EventType: 'WaitStarted', Id: '1', Name: 'stand-in', atMs: startedMs },
    ...(stoppedMs === undefined
      ? []
      : [
          {
            EventType: status === 'SUCCEEDED' ? 'WaitSucceeded' : 'WaitCancelled',
            ...{ Id: '1', Name: 'stand-in', atMs: stoppedMs },
          },
        ]),
  ].map(({ atMs, ...event }, index) => ({ ...event, EventId: index + 1, EventTimestamp: atMs / 1_000 }));

/** The event of an end. It has neither result nor error. */
function durableEventOf(execution: MachineExecution, id: string): EndEvent {
  const [, , , region = '', account = ''] = execution.arn.split(':');
  const endedAt = new Date(execution.stoppedMs ?? execution.endsMs).toISOString();
  return {
    version: '0',
    id,
    'detail-type': 'Durable Execution Status Change',
    source: 'aws.lambda',
    account,
    time: endedAt,
    region,
    resources: [],
    detail: {
      durableExecutionArn: execution.arn,
      durableExecutionName: execution.name,
      functionArn: functionArnOf(execution),
      status: statusOf(execution),
      startTimestamp: new Date(execution.startedMs).toISOString(),
      endTimestamp: endedAt,
    },
  };
}

/** A name is used once, as long as Lambda keeps the execution: the same payload gets it, another one not. */
export const DURABLE_FUNCTIONS: ServiceWays = {
  arnOf: durableArnOf,
  eventOf: durableEventOf,
  isSame: ({ input: known }, input) => known === input,
};
