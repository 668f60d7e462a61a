import type { Target } from '@aws-sdk/client-scheduler';

import { queueArnOf } from '../../queue-arn';
import type { Definition } from '../../schedules-as-code/definition';
import { functionArnOf } from '../function-arn';
import { neededText, textIn, Unmapped } from '../json';

interface Called {
  target: Definition;
  payload: unknown;
  /** ARN of what is called; undefined if no ARN can be made of what names it. */
  called: string | undefined;
}

interface TranslatedTarget extends Called {
  notes: string[];
}

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
  const translated =
    arn.service === 'scheduler' && universal
      ? universalTarget(universal[1] as string, universal[2] as string, target.Input, scheduleArn)
      : {
          target: templatedTarget(arn, target, notes),
          payload: payloadOf(target.Input, notes),
          called: target.Arn,
        };
  if (/<aws\.scheduler\.[a-z-]+>/.test(target.Input ?? ''))
    notes.push(
      'its input has <aws.scheduler…> attributes, which are not replaced; each delivery names its job, execution and due time',
    );
  if (target.DeadLetterConfig?.Arn)
    notes.push(
      `its dead-letter queue ${target.DeadLetterConfig.Arn} is not imported: failed executions stay in the history`,
    );
  return { ...translated, notes };
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
        source: EventBridgeParameters?.Source,
        detailType: EventBridgeParameters?.DetailType,
      };
  }
  if (arn.service === 'sns') return { type: 'sns', topicArn: text };
  if (arn.service === 'sqs') {
    if (SqsParameters?.MessageGroupId)
      notes.push(`its message group ${JSON.stringify(SqsParameters.MessageGroupId)} is not imported`);
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

/** Translates a call of the AWS API that does the same as one of Quarterjack's targets. */
function universalTarget(
  service: string,
  action: string,
  input: string | undefined,
  scheduleArn: string,
): Called {
  const given = objectOf(input);
  const text = (name: string) => (typeof given[name] === 'string' ? (given[name] as string) : '');
  switch (`${service}:${action}`.toLowerCase()) {
    case 'lambda:invoke': {
      const functionArn = functionArnOf(
        neededText(given, 'FunctionName'),
        textIn(given, 'Qualifier'),
        arnIn(scheduleArn),
      );
      return {
        target: { type: 'lambda', functionArn },
        payload: jsonOr(given.Payload),
        called: functionArn,
      };
    }
    case 'sqs:sendmessage': {
      const queueUrl = text('QueueUrl');
      return {
        target: { type: 'sqs', queueUrl },
        payload: jsonOr(given.MessageBody),
        called: queueArnOf(queueUrl),
      };
    }
    case 'sns:publish': {
      const topicArn = text('TopicArn');
      return { target: { type: 'sns', topicArn }, payload: jsonOr(given.Message), called: topicArn };
    }
    case 'sfn:startexecution': {
      const stateMachineArn = text('StateMachineArn');
      return {
        target: { type: 'stepfunctions', stateMachineArn },
        payload: jsonOr(given.Input),
        called: stateMachineArn,
      };
    }
  }
  throw new Unmapped(`its target calls ${service}:${action}, which is not supported`);
}

function payloadOf(input: string | undefined, notes: string[]): unknown {
  if (input === undefined || input === '') return undefined;
  const payload = jsonOr(input);
  if (payload === input) notes.push('its input is text, not JSON: the target receives it as a JSON string');
  return payload;
}

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
