import type { Job } from '../../client/browser';
import type { ShownTask } from '../editor/workflow-boxes';

type Target = NonNullable<Job['target'] | ShownTask['target']>;

/** What a target is, in one line. */
export function targetText(target: Target): string {
  switch (target.type) {
    case 'http':
      return `${target.method ?? 'POST'} ${target.url}`;
    case 'lambda':
      return target.functionArn;
    case 'sqs':
      return target.queueUrl;
    case 'sns':
      return target.topicArn;
    case 'eventbridge':
      return `${target.eventBusName} ${target.detailType}`;
    case 'stepfunctions':
      return target.stateMachineArn;
    case 'worker':
      return `workers of ${target.queue}`;
  }
}
