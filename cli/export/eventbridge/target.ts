import { queueArnOf } from '../../queue-arn';
import type { Definition } from '../../schedules-as-code/definition';
import { Unexportable } from './unexportable';

/** The fields of a target of AWS that say what is called, and what it gets. */
export interface AwsTarget {
  Arn: string;
  RoleArn: string;
  Input?: string;
  EventBridgeParameters?: { DetailType: string; Source: string };
  RetryPolicy: { MaximumRetryAttempts: number; MaximumEventAgeInSeconds: number };
}

type Called = Pick<AwsTarget, 'Arn' | 'EventBridgeParameters'>;

/** What a target of a job is in EventBridge Scheduler. Throws `Unexportable`. */
export function calledByAws(target: Definition): Called {
  if (target.mode === 'async')
    throw new Unexportable('its target has the mode async, and reports its result');
  if (target.wait === true || target.durable === true)
    throw new Unexportable(
      'its target waits for the end of an execution, which EventBridge Scheduler does not',
    );
  switch (target.type) {
    case 'lambda':
      return { Arn: String(target.functionArn) };
    case 'stepfunctions':
      return { Arn: String(target.stateMachineArn) };
    case 'sns':
      return { Arn: topic(String(target.topicArn)) };
    case 'sqs':
      return { Arn: queueArn(String(target.queueUrl)) };
    case 'eventbridge':
      return {
        Arn: busArn(String(target.eventBusName)),
        EventBridgeParameters: { DetailType: String(target.detailType), Source: String(target.source) },
      };
    default:
      throw new Unexportable(
        `its target has the type ${String(target.type)}, which EventBridge Scheduler does not call`,
      );
  }
}

const FIFO = 'which needs a message group that only a delivery from here has';

function topic(arn: string): string {
  if (arn.endsWith('.fifo')) throw new Unexportable(`its target is a FIFO topic, ${FIFO}`);
  return arn;
}

function queueArn(url: string): string {
  const arn = queueArnOf(url);
  if (arn === undefined) throw new Unexportable(`its queue ${url} has no URL of AWS`);
  if (arn.endsWith('.fifo')) throw new Unexportable(`its target is a FIFO queue, ${FIFO}`);
  return arn;
}

function busArn(name: string): string {
  if (!name.startsWith('arn:'))
    throw new Unexportable(`its event bus ${name} is no ARN, so its account and region are not known here`);
  return name;
}
