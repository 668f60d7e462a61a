/** How an execution of a state machine may end, as Step Functions spells it. */
export const ENDS = ['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'] as const;
export type MachineEnd = (typeof ENDS)[number];

/** How often the event of an end is delivered. EventBridge promises neither once nor at all. */
export type Delivery = 'lost' | 'once' | 'twice';

/** Work at a service: nothing runs, it waits and then ends as its script says. */
export interface MachineExecution {
  arn: string;
  /** ARN of the state machine, or of the version or alias of a durable function. */
  machineArn: string;
  name: string;
  /** JSON. */
  input: string;
  startedMs: number;
  /** When and how it ends, unless a call or a button ends it before. */
  endsMs: number;
  ends: MachineEnd;
  status: 'RUNNING' | MachineEnd;
  stoppedMs?: number;
  error?: string;
  cause?: string;
  delivery: Delivery;
}

export const executionArnOf = (machineArn: string, name: string): string =>
  `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`;

const seconds = (ms: number): number => ms / 1_000;

/** Its result is its input, as that of a machine of one Pass state. */
const outputOf = ({ status, input }: MachineExecution): string | undefined =>
  status === 'SUCCEEDED' ? input : undefined;

/** The answer of `DescribeExecution`. */
export const described = (execution: MachineExecution): object => ({
  executionArn: execution.arn,
  stateMachineArn: execution.machineArn,
  name: execution.name,
  status: execution.status,
  startDate: seconds(execution.startedMs),
  ...(execution.stoppedMs !== undefined && { stopDate: seconds(execution.stoppedMs) }),
  input: execution.input,
  inputDetails: { included: true },
  ...(outputOf(execution) !== undefined && {
    output: outputOf(execution),
    outputDetails: { included: true },
  }),
  error: execution.error,
  cause: execution.cause,
});

/** The event of an end, in the format of EventBridge. */
export const endEventOf = (execution: MachineExecution, id: string): EndEvent => {
  const [, , , region = '', account = ''] = execution.arn.split(':');
  return {
    version: '0',
    id,
    'detail-type': 'Step Functions Execution Status Change',
    source: 'aws.states',
    account,
    time: new Date(execution.stoppedMs ?? execution.endsMs).toISOString(),
    region,
    resources: [execution.arn],
    detail: {
      executionArn: execution.arn,
      stateMachineArn: execution.machineArn,
      name: execution.name,
      status: execution.status,
      startDate: execution.startedMs,
      stopDate: execution.stoppedMs ?? null,
      input: execution.input,
      inputDetails: { included: true },
      output: outputOf(execution) ?? null,
      outputDetails: outputOf(execution) === undefined ? null : { included: true },
      error: execution.error ?? null,
      cause: execution.cause ?? null,
    },
  };
};

/** An event of an AWS service, as a rule passes it on. */
export interface EndEvent {
  version: string;
  id: string;
  'detail-type': string;
  source: string;
  account: string;
  time: string;
  region: string;
  resources: string[];
  detail: Record<string, unknown>;
}

/** How a service names what it does, tells of its end, and takes a name that is used. */
export interface ServiceWays {
  arnOf(machineArn: string, name: string): string;
  eventOf(execution: MachineExecution, id: string): EndEvent;
  /** Whether another start under the name is the one that is known. Else, the name exists already. */
  isSame(known: MachineExecution, input: string): boolean;
}

export const STATE_MACHINES: ServiceWays = {
  arnOf: executionArnOf,
  eventOf: endEventOf,
  isSame: ({ status, input: known }, input) => status === 'RUNNING' && known === input,
};
