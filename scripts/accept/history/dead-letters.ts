import { GetQueueAttributesCommand, SendMessageCommand } from '@aws-sdk/client-sqs';

import type { ExecutionMessage } from '../../../lambdas/core/contracts/messages';
import type { Finding } from '../check';
import type { Site } from '../site/site';
import { statusOf } from '../status';
import { until } from '../until';

const POOL = 'default';
const LANE = 'lowest';
const QUEUE = `${POOL}/${LANE}`;

/**
 * Puts a dead letter where SQS would move it after five receives, which takes hours. Its job does not exist,
 * so the executor finds nothing to run when it is moved back.
 */
export async function deadLetters(site: Site): Promise<Finding> {
  const { clients, env, nowMs, run } = site;
  const byPool = JSON.parse(env.EXECUTION_QUEUES!) as Record<string, Record<string, string>>;
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
  const dead = async () => (await statusOf(site)).queues.find(({ name }) => name === QUEUE)?.dead ?? 0;
  const seen = await until(site, dead, (count) => count > 0);
  const { status, body } = await site.api({ operation: 'redriveQueue', body: { queue: QUEUE, max: 1_000 } });
  const left = await until(site, dead, (count) => count === 0);
  const { moved } = body as { moved?: number };
  return {
    holds: seen > 0 && status === 200 && left === 0,
    detail: `${seen} seen, ${moved} moved back to ${QUEUE}, ${left} left`,
  };
}

/** The URL of the queue with this ARN, in the account and region of another queue. */
const siblingOf = (queueUrl: string, arn: string): string =>
  queueUrl.slice(0, queueUrl.lastIndexOf('/') + 1) + arn.slice(arn.lastIndexOf(':') + 1);
