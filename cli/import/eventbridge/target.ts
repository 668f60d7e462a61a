import type { Target } from '@aws-sdk/client-scheduler';

import { queueArnOf } from '../../queue-arn';
import type { Definition } from '../../schedules-as-code/definition';
import { functionArnOf } from '../function-arn';
import { type Json, neededText, textIn, Unmapped } from '../json';
import { isWork, workFromAws } from '../work';
import { actionFromAws, templatedCall } from './action';
import type { Called, TranslatedTarget } from './called';
import { argumentNotes } from './fields';
import { taskFromAws } from './task';

interface Arn {
  partition: string;
  service: string;
  region: string;
  account: string;
  resource: string;
}

/** Translates a target and its input. `scheduleArn` gives the region and account if the target does not. */
export function targetFromAws(target: Target, scheduleArn: string): TranslatedTarget {
  const arn = parseArn(target.Arn ?? '');
  const notes: string[] = [];
  const universal = /^aws-sdk:(\w+):(\w+)$/.exec(arn.resource);
  const isTask = arn.service === 'ecs' && arn.resource.startsWith('cluster/');
  for (const [field, isOf] of Object.entries({
    EcsParameters: isTask,
    KinesisParameters: arn.service === 'kinesis',
    SageMakerPipelineParameters: arn.service === 'sagemaker',
  }))
    if (target[field as keyof Target] !== undefined && !isOf)
      throw new Unmapped(
        `its Target.${field} is no field that this import knows: its target is ${arn.resource.split(/[:/]/)[0]} of ${arn.service}`,
      );
  const translated = (): Called => {
    if (arn.service === 'scheduler' && universal)
      return universalTarget(
        universal[1] as string,
        universal[2] as string,
        target.Input,
        scheduleArn,
        notes,
      );
    if (isTask) return taskFromAws(target, notes);
    if (arn.service === 'codebuild')
      return workOf(
        'codebuild:startbuild',
        { ...objectOf(target.Input || '{}'), projectName: target.Arn },
        arn,
        notes,
      );
    const templated = templatedCall(target, arn);
    if (templated) {
      if (!target.Input)
        notes.push('it has no input: AWS sends a default notification instead, a call sends {}');
      return actionFromAws(templated.call, templated.input, { scheduleArn, region: arn.region }, notes);
    }
    return {
      target: templatedTarget(arn, target, notes),
      payload: payloadOf(target.Input, notes),
      called: [target.Arn ?? ''],
    };
  };
  const called = translated();
  if (!called.allowed && /<aws\.scheduler\.[a-z-]+>/.test(target.Input ?? ''))
    notes.push(
      'its input has <aws.scheduler…> attributes, which are not replaced; each delivery names its job, execution and due time',
    );
  if (target.DeadLetterConfig?.Arn)
    notes.push(
      `its dead-letter queue ${target.DeadLetterConfig.Arn} is not imported: failed executions stay in the history`,
    );
  return { ...called, notes };
}

function templatedTarget(
  arn: Arn,
  { Arn: text = '', SqsParameters, EventBridgeParameters }: Target,
  notes: string[],
): Definition {
  switch (`${arn.service}:${arn.resource.split(/[:/]/)[0]}`) {
    case 'lambda:function':
      return { type: 'lambda', functionArn: text };
    case 'states:stateMachine':
      return { type: 'stepfunctions', stateMachineArn: text };
    case 'events:event-bus':
      return {
        type: 'eventbridge',
        // A bare name would be a bus of the deployment's own account and region.
        eventBusName: text,
        source: neededText({ ...EventBridgeParameters }, 'Source'),
        detailType: neededText({ ...EventBridgeParameters }, 'DetailType'),
      };
  }
  if (arn.service === 'sns') return { type: 'sns', topicArn: text };
  if (arn.service === 'sqs') {
    if (SqsParameters?.MessageGroupId)
      notes.push(`its message group ${JSON.stringify(SqsParameters.MessageGroupId)} is not imported`);
    if (!['aws', 'aws-cn', 'aws-us-gov'].includes(arn.partition))
      throw new Unmapped(`the URL of its queue ${text} is not known here`);
    const suffix = arn.partition === 'aws-cn' ? '.cn' : '';
    return {
      type: 'sqs',
      queueUrl: `https://sqs.${arn.region}.amazonaws.com${suffix}/${arn.account}/${arn.resource}`,
    };
  }
  throw new Unmapped(
    `its target ${text} is not supported: use a Lambda function or a state machine that calls it`,
  );
}

/** Translates a call of the AWS API: to the target that does the same, else to one that makes that call. */
function universalTarget(
  service: string,
  action: string,
  input: string | undefined,
  scheduleArn: string,
  notes: string[],
): Called {
  const given = objectOf(input || '{}');
  const call = `${service}:${action}`.toLowerCase();
  if (isWork(call)) return workOf(call, given, parseArn(scheduleArn), notes);
  switch (call) {
    case 'lambda:invoke': {
      notes.push(...argumentNotes('lambda:invoke', given));
      if (given.InvocationType === 'DryRun') throw new Unmapped('its call is a dry run, which runs nothing');
      const functionArn = functionArnOf(
        neededText(given, 'FunctionName'),
        textIn(given, 'Qualifier'),
        arnIn(scheduleArn),
      );
      return {
        // A name is for durable functions alone, and these have a version or an alias.
        target: { type: 'lambda', functionArn, ...('DurableExecutionName' in given && { durable: true }) },
        payload: messageOf(given.Payload, notes),
        called: [functionArn],
      };
    }
    case 'sqs:sendmessage': {
      notes.push(...argumentNotes('sqs:sendMessage', given));
      const queueUrl = neededText(given, 'QueueUrl');
      return {
        target: { type: 'sqs', queueUrl },
        payload: messageOf(given.MessageBody, notes),
        called: [queueArnOf(queueUrl)].filter((one) => one !== undefined),
      };
    }
    case 'sns:publish': {
      notes.push(...argumentNotes('sns:publish', given));
      const topicArn = neededText(given, 'TopicArn');
      return {
        target: { type: 'sns', topicArn },
        payload: messageOf(given.Message, notes),
        called: [topicArn],
      };
    }
    case 'sfn:startexecution': {
      notes.push(...argumentNotes('states:startExecution', given));
      const stateMachineArn = neededText(given, 'StateMachineArn');
      return {
        target: { type: 'stepfunctions', stateMachineArn },
        payload: messageOf(given.Input, notes),
        called: [stateMachineArn],
      };
    }
  }
  const rounded = roundedIn(input ?? '');
  if (rounded !== undefined)
    throw new Unmapped(`its input has the number ${rounded}, which would lose digits: make it a text`);
  const { region } = arnIn(scheduleArn) ?? {};
  return actionFromAws(`${service}:${action}`, given, { scheduleArn, region }, notes);
}

/** Work that AWS only starts. Its end counts here. */
function workOf(
  call: Parameters<typeof workFromAws>[0],
  input: Json,
  { partition, region, account }: Arn,
  notes: string[],
): Called {
  const { target, called, limitSec, most } = workFromAws(call, input, `${partition}:*:${region}:${account}`);
  notes.push(
    'its execution ends as the work ends, within its time-out; AWS only starts it, and retries only the start',
  );
  const timeout = limitSec === undefined ? most : `${limitSec}s`;
  return { target, payload: undefined, called, timeout, maxAttempts: 1 };
}

function payloadOf(input: string | undefined, notes: string[]): unknown {
  if (input !== undefined && input !== '') return messageOf(input, notes);
  notes.push('it has no input: AWS sends a default notification instead, a delivery sends {}');
  return undefined;
}

function messageOf(given: unknown, notes: string[]): unknown {
  const payload = jsonOr(given);
  if (typeof given !== 'string') return payload;
  if (payload === given) notes.push('its input is text, not JSON: the target receives it as a JSON string');
  const rounded = payload === given ? undefined : roundedIn(given);
  if (rounded === undefined) return payload;
  throw new Unmapped(`its input has the number ${rounded}, which would lose digits: make it a text`);
}

/** The first number of a JSON text that is another when it is parsed; undefined if there is none. */
const roundedIn = (json: string): string | undefined =>
  json
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
    .match(/-?\d[\d.eE+-]*/g)
    ?.find(
      (number) =>
        !Number.isFinite(Number(number)) || (number.length > 15 && String(Number(number)) !== number),
    );

/** Parses a string that is JSON. Returns any other value unchanged. */
function jsonOr(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value; // plain text is a valid payload
  }
}

function objectOf(input: string | undefined): Record<string, unknown> {
  const value = jsonOr(input);
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new Unmapped('its input is not a JSON object, so it does not say what to call');
}

/** What is the same in the ARNs of a region and account: `aws:*:eu-central-1:111122223333`. */
function parseArn(text: string): Arn {
  const arn = arnIn(text);
  if (arn) return arn;
  throw new Unmapped(`its target ${JSON.stringify(text)} is not an ARN`);
}

function arnIn(text: string): Arn | undefined {
  const [arn, partition = '', service = '', region = '', account = '', ...resource] = text.split(':');
  return arn === 'arn' && service && resource.length > 0
    ? { partition, service, region, account, resource: resource.join(':') }
    : undefined;
}
