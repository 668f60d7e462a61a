import { type Clock, SECOND_MS } from '../../machine/clock';
import { refusalMessage } from '../../iam/access';
import type { QueueSpec } from '../../template/stack';
import { type AwsCall, type AwsReply, type AwsService, awsError } from '../aws-call';
import { refuseLongDelays } from './delay-check';
import { FauxqsStore } from './fauxqs-store';
import { LocalQueue } from './local-queue';
import { MoveTasks } from './move-tasks';
import { sqsPermissions } from './permissions';

export interface Sqs extends AwsService {
  /** Throws where no queue has this ARN. */
  queue(arn: string): LocalQueue;
  /** Sends a message from inside the local run. Throws where it is refused. */
  send(queueArn: string, body: string): Promise<void>;
}

/** Where queues made over the API live; those of the template bring their own URL and ARN. */
export interface SqsPlace {
  region: string;
  accountId: string;
  awsUrl: string;
}

/** Starts the embedded SQS with the queues of the template. Messages live in memory: they end with the process. */
export async function startSqs(specs: QueueSpec[], place: SqsPlace, clock: Clock): Promise<Sqs> {
  const queues = new Map<string, LocalQueue>();
  const store = new FauxqsStore((name, attributes) => {
    const spec = specs.find((one) => one.name === name);
    const arn = spec?.arn ?? `arn:aws:sqs:${place.region}:${place.accountId}:${name}`;
    const url = spec?.url ?? `${place.awsUrl}/${place.accountId}/${name}`;
    const queue = new LocalQueue(
      name,
      arn,
      url,
      attributes,
      (deadLetterArn) => queues.get(deadLetterArn),
      clock,
    );
    queues.set(arn, queue);
    return queue;
  });
  for (const { name, url, arn, attributes } of specs) store.createQueue(name, url, arn, attributes);

  const moveTasks = new MoveTasks(queues, clock);

  const { buildApp } = await import('fauxqs');
  const stores = { sqsStore: store } as unknown as NonNullable<
    NonNullable<Parameters<typeof buildApp>[0]>['stores']
  >;
  const protocol = buildApp({ logger: false, defaultRegion: place.region, stores });
  await protocol.ready();

  const forward = async ({ action }: Pick<AwsCall, 'action'>, body: unknown): Promise<AwsReply> => {
    const reply = await protocol.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` },
      payload: JSON.stringify(body),
    });
    const errorHeader = reply.headers['x-amzn-query-error'];
    return {
      status: reply.statusCode,
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        ...(errorHeader !== undefined && { 'x-amzn-query-error': String(errorHeader) }),
      },
      body: reply.rawPayload,
    };
  };

  return {
    targetPrefix: 'AmazonSQS.',
    queue(arn) {
      const queue = queues.get(arn);
      if (!queue) throw new Error(`no queue has the ARN ${arn}`);
      return queue;
    },
    async send(queueArn, MessageBody) {
      const QueueUrl = queues.get(queueArn)?.url;
      const reply = await forward({ action: 'SendMessage' }, { QueueUrl, MessageBody });
      if (reply.status !== 200) throw new Error(`cannot send to ${queueArn}: ${String(reply.body)}`);
    },
    async call(call) {
      let body: Record<string, unknown>;
      try {
        body = JSON.parse(call.body) as Record<string, unknown>;
      } catch {
        return awsError(400, 'SerializationException', 'The request is not JSON');
      }
      if (call.action === 'SendMessage' || call.action === 'SendMessageBatch')
        return refuseLongDelays(body, (rest) => forward(call, rest));
      if (call.action === 'CreateQueue' && String(body.QueueName).endsWith('.fifo'))
        return awsError(400, 'UnsupportedOperation', 'The local run has no FIFO queues');
      if (call.action === 'ReceiveMessage') return receive(call, body);
      return moveTasks.call(call.action, body) ?? forward(call, body);
    },
    permissions: ({ action, body }) => sqsPermissions(action, body, place),
    denied(refusal) {
      // SQS writes its actions in lower case.
      const message = refusalMessage(refusal, (action) => action.toLowerCase());
      const reply = awsError(403, 'com.amazon.coral.service#AccessDeniedException', message);
      return { ...reply, headers: { ...reply.headers, 'x-amzn-query-error': 'AccessDenied;Sender' } };
    },
    async stop() {
      moveTasks.stop();
      await protocol.close();
    },
  };

  /** Waits here, not in fauxqs, so that a poll whose client has gone takes no message. */
  async function receive(call: AwsCall, body: Record<string, unknown>): Promise<AwsReply> {
    const queue = store.getQueue(String(body.QueueUrl))?.queue;
    const asked = Number(body.WaitTimeSeconds ?? queue?.attributes.ReceiveMessageWaitTimeSeconds ?? 0);
    // A wait out of range is for fauxqs to refuse.
    if (!queue || !(asked > 0 && asked <= 20)) return forward(call, body);
    const untilMs = clock.nowMs() + asked * SECOND_MS;
    for (;;) {
      const ready = await queue.whenReady(Math.max(0, untilMs - clock.nowMs()), call.signal);
      if (call.signal.aborted) throw new Error('the client has gone');
      const reply = await forward(call, { ...body, WaitTimeSeconds: 0 });
      const empty = reply.status === 200 && !String(reply.body).includes('"ReceiptHandle"');
      if (!ready || !empty || clock.nowMs() >= untilMs) return reply;
    }
  }
}
