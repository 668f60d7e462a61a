import { denialMessage } from '../../iam/access';
import { type Clock, SECOND_MS } from '../../machine/clock';
import type { QueueSpec } from '../../template/stack';
import { type AwsCall, awsError, type AwsReply, type AwsService } from '../aws-call';
import { rejectInvalidDelays } from './delay-check';
import { type FauxqsProtocol, startProtocol } from './fauxqs-protocol';
import { FauxqsStore } from './fauxqs-store';
import { LocalQueue } from './local-queue';
import { MoveTasks } from './move-tasks';
import { sqsPermissions } from './permissions';

export interface Sqs extends AwsService {
  /** Throws if no queue has this ARN. */
  queue(arn: string): LocalQueue;
  /** Sends a message from inside the local run. Throws if SQS rejects it. */
  send(queueArn: string, body: string): Promise<void>;
}

/**
 * Parts of the URLs and ARNs of queues that are created over the API. Those of the template have their own.
 */
interface SqsEnvironment {
  region: string;
  accountId: string;
  awsUrl: string;
}

/**
 * Starts the embedded SQS with the queues of the template. Messages are kept in memory and end with the
 * process.
 */
export async function startSqs(specs: QueueSpec[], aws: SqsEnvironment, clock: Clock): Promise<Sqs> {
  const queues = new Map<string, LocalQueue>();
  const store = new FauxqsStore((name, attributes) => {
    const spec = specs.find((one) => one.name === name);
    const arn = spec?.arn ?? `arn:aws:sqs:${aws.region}:${aws.accountId}:${name}`;
    const url = spec?.url ?? `${aws.awsUrl}/${aws.accountId}/${name}`;
    const queue = new LocalQueue(name, arn, url, attributes, (deadLetters) => queues.get(deadLetters), clock);
    queues.set(arn, queue);
    return queue;
  });
  for (const { name, url, arn, attributes } of specs) store.createQueue(name, url, arn, attributes);
  const moveTasks = new MoveTasks(queues, clock);
  const protocol = await startProtocol(store, aws.region);

  return {
    targetPrefix: 'AmazonSQS.',
    queue(arn) {
      const queue = queues.get(arn);
      if (!queue) throw new Error(`no queue has the ARN ${arn}`);
      return queue;
    },
    async send(queueArn, MessageBody) {
      const QueueUrl = queues.get(queueArn)?.url;
      const reply = await protocol.call('SendMessage', { QueueUrl, MessageBody });
      if (reply.status !== 200) throw new Error(`cannot send to ${queueArn}: ${String(reply.body)}`);
    },
    async call({ action, body: text, signal }: AwsCall): Promise<AwsReply> {
      const body = parseObject(text);
      if (!body) return awsError(400, 'SerializationException', 'The request is not JSON');
      if (action === 'SendMessage' || action === 'SendMessageBatch')
        return rejectInvalidDelays(body, (valid) => protocol.call(action, valid));
      if (action === 'CreateQueue' && String(body.QueueName).endsWith('.fifo'))
        return awsError(400, 'UnsupportedOperation', 'The local run does not support FIFO queues');
      if (action === 'ReceiveMessage') {
        const queue = store.getQueue(String(body.QueueUrl))?.queue;
        return receiveMessage(body, { protocol, queue, clock, signal });
      }
      return moveTasks.call(action, body) ?? protocol.call(action, body);
    },
    permissions: ({ action, body }) => sqsPermissions(action, body, aws),
    denied(denial) {
      // SQS spells actions in lower case.
      const message = denialMessage(denial, (action) => action.toLowerCase());
      const reply = awsError(403, 'com.amazon.coral.service#AccessDeniedException', message);
      return { ...reply, headers: { ...reply.headers, 'x-amzn-query-error': 'AccessDenied;Sender' } };
    },
    async stop() {
      moveTasks.stop();
      await protocol.stop();
    },
  };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** SQS's maximum of `WaitTimeSeconds`. */
const MAX_WAIT_SEC = 20;

interface LongPollDeps {
  protocol: FauxqsProtocol;
  /** Undefined if the queue does not exist. */
  queue: LocalQueue | undefined;
  clock: Clock;
  /** Aborted if the client disconnects. */
  signal: AbortSignal;
}

/**
 * `ReceiveMessage`. Waits here instead of in fauxqs, so that a poll of a disconnected client takes no
 * message.
 */
async function receiveMessage(
  body: Record<string, unknown>,
  { protocol, queue, clock, signal }: LongPollDeps,
): Promise<AwsReply> {
  const waitSec = Number(body.WaitTimeSeconds ?? queue?.attributes.ReceiveMessageWaitTimeSeconds ?? 0);
  // fauxqs rejects an invalid wait time.
  if (!queue || !(waitSec > 0 && waitSec <= MAX_WAIT_SEC)) return protocol.call('ReceiveMessage', body);
  const untilMs = clock.nowMs() + waitSec * SECOND_MS;
  for (;;) {
    const ready = await queue.whenReady(Math.max(0, untilMs - clock.nowMs()), signal);
    if (signal.aborted) throw new Error('the client has disconnected');
    const reply = await protocol.call('ReceiveMessage', { ...body, WaitTimeSeconds: 0 });
    const empty = reply.status === 200 && !String(reply.body).includes('"ReceiptHandle"');
    if (!ready || !empty || clock.nowMs() >= untilMs) return reply;
  }
}
