import type { Job } from '../../client/browser';
import type { ShownTask } from '../editor/workflow-boxes';

export type Target = NonNullable<Job['target'] | ShownTask['target']>;

/** Whether there is a job that can be run: that of a monitor runs elsewhere. */
export const isRunnable = (job: Pick<Job, 'target'> | null | undefined): boolean =>
  job !== null && job?.target?.type !== 'monitor';

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
    case 'batch':
      return `job of ${target.jobDefinitionArn} in ${target.jobQueueArn}`;
    case 'glue':
      return `run of ${target.glueJobArn}`;
    case 'codebuild':
      return `build of ${target.projectArn}`;
    case 'aws':
      return target.region === undefined ? target.action : `${target.action} in ${target.region}`;
    case 'worker':
      return `workers of ${target.queue}`;
    case 'monitor':
      return `pings within ${target.pingWithin}`;
  }
}

/** What is told beside that line, and what it means. */
interface Badge {
  text: string;
  title: string;
}

/** That line, with the version or alias of a function apart, and how a call proves itself. */
export function targetParts(target: Target): { text: string; badges: Badge[] } {
  const text = targetText(target);
  if (target.type === 'http') return { text, badges: proofsOf(target) };
  if (target.type !== 'lambda') return { text, badges: [] };
  const [, name, qualifier] = /^((?:[^:]*:){6}[^:]+):(.+)$/.exec(text) ?? [];
  return name === undefined || qualifier === undefined
    ? { text, badges: [] }
    : { text: name, badges: [{ text: qualifier, title: 'version or alias' }] };
}

const proofsOf = ({ auth, tls }: Extract<Target, { type: 'http' }>): Badge[] => [
  ...(auth ? [{ text: auth.type, title: 'how it knows its caller' }] : []),
  ...(tls ? [{ text: tls.key === undefined ? 'own authority' : 'client certificate', title: 'in TLS' }] : []),
];
