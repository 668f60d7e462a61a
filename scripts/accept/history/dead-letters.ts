import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { GetQueueAttributesCommand, SendMessageCommand } from '@aws-sdk/client-sqs';

import { ApiEnv } from '../../../lambdas/core/contracts/env';
import type { ExecutionMessage } from '../../../lambdas/core/contracts/messages';
import type { Finding } from '../check';
import type { AwsSite, Site } from '../site/site';
import { resourcesOf } from '../site/stacks';
import { statusOf } from '../status';
import { until } from '../until';

const POOL = 'default';
/** The lane whose queue each deployment has. */
const LANE = 'highest';
const QUEUE = `${POOL}/${LANE}`;
const ALARM = 'DeadLettersDefault';
const SET_OFF_WITHIN_MS = 15 * 60_000;

/**
 * Puts a dead letter where SQS would move it after five receives, which takes hours. Its job does not exist,
 * so the executor finds nothing to run when it is moved back.
 */
async function putDeadLetter({ clients, env, nowMs, run }: Site): Promise<void> {
  const byPool = ApiEnv.shape.EXECUTION_QUEUES.parse(env.EXECUTION_QUEUES);
  const QueueUrl = byPool[POOL]?.[LANE];
  if (QueueUrl === undefined) throw new Error(`there is no queue ${QUEUE}`);
  const { Attributes = {} } = await clients.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['RedrivePolicy'] }),
  );
  const { deadLetterTargetArn } = JSON.parse(Attributes.RedrivePolicy!) as { deadLetterTargetArn: string };
  const message: ExecutionMessage = {
    ...{
      v: 1,
      jobKey: `quarterjack-accept/accept-${run}-letter`,
      execId: '20000101T000000.000Z',
      revision: 'none',
    },
    ...{ dueAtMs: nowMs(), startAtMs: nowMs(), attempt: 1, trigger: 'schedule' },
    ...{ priority: LANE, pool: POOL },
  };
  await clients.sqs.send(
    new SendMessageCommand({
      QueueUrl: siblingOf(QueueUrl, deadLetterTargetArn),
      MessageBody: JSON.stringify(message),
    }),
  );
}

export async function deadLetters(site: Site): Promise<Finding> {
  await putDeadLetter(site);
  const dead = async () => (await statusOf(site)).queues.find(({ name }) => name === QUEUE)?.dead ?? 0;
  const seen = await until(site, dead, (count) => count > 0);
  const { status, moved } = await redrive(site);
  const left = await until(site, dead, (count) => count === 0);
  return {
    holds: seen > 0 && status === 200 && left === 0,
    detail: `${seen} seen, ${moved} moved back to ${QUEUE}, ${left} left`,
  };
}

async function redrive({ api }: Site): Promise<{ status: number; moved: number | undefined }> {
  const { status, body } = await api({ operation: 'redriveQueue', body: { queue: QUEUE, max: 1_000 } });
  return { status, moved: (body as { moved?: number }).moved };
}

/** The alarm watches a metric that SQS publishes within minutes. The letter is moved back at the end. */
export async function deadLetterAlarm(site: AwsSite): Promise<Finding> {
  const { cloudFormation, cloudWatch } = site.clients;
  const all = await resourcesOf(cloudFormation, site.stackName, 'AWS::CloudWatch::Alarm');
  const AlarmNames = all.filter((name) => name.includes(ALARM));
  if (AlarmNames.length !== 1)
    return { holds: false, detail: `${AlarmNames.length} alarms are named ${ALARM}` };
  await putDeadLetter(site);
  const stateOf = async () =>
    (await cloudWatch.send(new DescribeAlarmsCommand({ AlarmNames }))).MetricAlarms?.[0]?.StateValue;
  const state = await until(site, stateOf, (found) => found === 'ALARM', SET_OFF_WITHIN_MS);
  const { moved } = await redrive(site);
  return { holds: state === 'ALARM', detail: `${AlarmNames[0]} is ${state}; ${moved} moved back` };
}

/** The URL of the queue with this ARN, in the account and region of another queue. */
const siblingOf = (queueUrl: string, arn: string): string =>
  queueUrl.slice(0, queueUrl.lastIndexOf('/') + 1) + arn.slice(arn.lastIndexOf(':') + 1);
