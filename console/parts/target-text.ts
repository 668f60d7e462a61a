import type { Job } from '../../client/browser';
import type { ShownTask } from '../editor/workflow-boxes';

export type Target = NonNullable<Job['target'] | ShownTask['target']>;

/** What a target is, in one line. */
export function targetText(target: Target): string {
  switch (target.type) {
    case 'http':
      return `${target.method ?? 'POST'} ${target.url}`;
    case 'lambda':
      return 'durable' in target && target.durable ? `${target.functionArn}, durable` : target.functionArn;
    case 'sqs':
      return target.queueUrl;
    case 'sns':
      return target.topicArn;
    case 'eventbridge':
      return `${target.eventBusName} ${target.detailType}`;
    case 'stepfunctions':
      return `${target.stateMachineArn}${target.wait ? ', waits for its end' : ''}`;
    case 'ecs':
      return `task of ${target.taskDefinitionArn} in ${target.clusterArn}`;
    case 'worker':
      return `workers of ${target.queue}`;
  }
}

/** That line, with the version or alias of a function apart. */
export function targetParts(target: Target): { text: string; qualifier?: string } {
  const text = targetText(target);
  if (target.type !== 'lambda') return { text };
  const [, name, qualifier] = /^((?:[^:]*:){6}[^:]+):(.+)$/.exec(text) ?? [];
  return name === undefined || qualifier === undefined ? { text } : { text: name, qualifier };
}
