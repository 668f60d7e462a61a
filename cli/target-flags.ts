import { CliError } from './exit-codes';
import { jsonOrFile } from './json-argument';

/** The flags that say what a job calls or starts. */
export interface TargetFlags {
  http?: string;
  method?: string;
  header?: string[];
  cloudEvents?: boolean;
  queue?: string;
  pingWithin?: string;
  lambda?: string;
  durable?: string;
  sqs?: string;
  sns?: string;
  stateMachine?: string;
  wait?: boolean;
  ecs?: string;
  cluster?: string;
  container?: string;
  batch?: string;
  jobQueue?: string;
  glue?: string;
  argument?: string[];
  codebuild?: string;
  env?: string[];
  aws?: string;
  input?: string;
  eventBus?: string;
  eventSource?: string;
  detailType?: string;
}

/** The flags that name a target, each with the target that it makes. */
const TARGETS = {
  queue: ['--queue', (queue: string) => ({ type: 'worker', queue })],
  pingWithin: ['--ping-within', (pingWithin: string) => ({ type: 'monitor', pingWithin })],
  lambda: ['--lambda', (functionArn: string) => ({ type: 'lambda', functionArn })],
  durable: ['--durable', (functionArn: string) => ({ type: 'lambda', functionArn, durable: true })],
  sqs: ['--sqs', (queueUrl: string) => ({ type: 'sqs', queueUrl })],
  sns: ['--sns', (topicArn: string) => ({ type: 'sns', topicArn })],
  stateMachine: [
    '--state-machine',
    (stateMachineArn: string, { wait }: TargetFlags) => ({
      type: 'stepfunctions',
      stateMachineArn,
      ...(wait && { wait }),
    }),
  ],
  ecs: ['--ecs', taskTarget],
  batch: ['--batch', batchTarget],
  glue: [
    '--glue',
    (glueJobArn: string, { argument }: TargetFlags) => ({
      type: 'glue',
      glueJobArn,
      ...(argument && { arguments: pairs('--argument', argument, '=') }),
    }),
  ],
  codebuild: [
    '--codebuild',
    (projectArn: string, flags: TargetFlags) => ({
      type: 'codebuild',
      projectArn,
      ...variablesIn(flags),
    }),
  ],
  aws: [
    '--aws',
    (action: string, { input }: TargetFlags) => ({
      type: 'aws',
      action,
      ...(input !== undefined && { input: jsonOrFile('--input', input) }),
    }),
  ],
  eventBus: ['--event-bus', eventTarget],
} as const;
export const TARGET_FLAGS = ['--http', ...Object.values(TARGETS).map(([flag]) => flag)];

const variablesIn = ({ env }: TargetFlags) => env && { environment: pairs('--env', env, '=') };

function batchTarget(jobDefinitionArn: string, { jobQueue, ...flags }: TargetFlags) {
  if (jobQueue === undefined)
    throw new CliError('--batch needs --job-queue: the ARN of the queue that gets the job');
  return { type: 'batch', jobDefinitionArn, jobQueueArn: jobQueue, ...variablesIn(flags) };
}

function taskTarget(taskDefinitionArn: string, { cluster, container, ...flags }: TargetFlags) {
  if (cluster === undefined)
    throw new CliError('--ecs needs --cluster: the ARN of the cluster that runs the task');
  return {
    type: 'ecs',
    taskDefinitionArn,
    clusterArn: cluster,
    ...(container !== undefined && { container }),
    ...variablesIn(flags),
  };
}

function eventTarget(eventBusName: string, { eventSource, detailType }: TargetFlags) {
  if (eventSource === undefined || detailType === undefined)
    throw new CliError('--event-bus needs --event-source and --detail-type: rules of the bus select by them');
  return { type: 'eventbridge', eventBusName, source: eventSource, detailType };
}

/** Flags that say more of a target, with those that name one. */
const ONLY_WITH = {
  cluster: ['ecs'],
  container: ['ecs'],
  env: ['ecs', 'batch', 'codebuild'],
  input: ['aws'],
  jobQueue: ['batch'],
  argument: ['glue'],
  wait: ['stateMachine'],
} as const satisfies Partial<Record<keyof TargetFlags, readonly (keyof TargetFlags)[]>>;

const flagOf = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The target that the flags make; undefined: they name none. */
export function targetOf(flags: TargetFlags): Record<string, unknown> | undefined {
  const { http, method, header, cloudEvents } = flags;
  const isHttp = [http, method, header, cloudEvents].some((given) => given !== undefined);
  const others = Object.entries(TARGETS).flatMap(([name, [flag, make]]) => {
    const value = flags[name as keyof typeof TARGETS];
    return value === undefined ? [] : [{ flag, target: make(value, flags) }];
  });
  if (flags.eventBus === undefined && (flags.eventSource ?? flags.detailType) !== undefined)
    throw new CliError('--event-source and --detail-type are for --event-bus');
  for (const [flag, of] of Object.entries(ONLY_WITH))
    if (flags[flag as keyof typeof ONLY_WITH] !== undefined && of.every((one) => flags[one] === undefined))
      throw new CliError(`${flagOf(flag)} is for ${of.map(flagOf).join(', ')}`);
  if (others.length + (isHttp ? 1 : 0) > 1)
    throw new CliError(
      `give one target only, not ${[...(isHttp ? ['--http'] : []), ...others.map(({ flag }) => flag)].join(' and ')}`,
    );
  if (!isHttp) return others[0]?.target;
  return {
    ...(http === undefined ? {} : { type: 'http', url: http }),
    ...(method === undefined ? {} : { method }),
    ...(header === undefined ? {} : { headers: pairs('--header', header, ':') }),
    ...(cloudEvents && { cloudEvents }),
  };
}

function pairs(flag: string, texts: readonly string[], separator: string): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(separator);
      if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
      throw new CliError(`${flag} is ${JSON.stringify(text)}; expected name${separator}value`);
    }),
  );
}
