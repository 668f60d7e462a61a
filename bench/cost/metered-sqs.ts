import {
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';

import { chunksOf } from '../../lambdas/core/async/chunks';
import type { Clock } from '../../lambdas/core/clock/clock';
import type { DeploymentUsage } from './usage';

/** A request has up to 64 KB. Each further 64 KB count as one more request. */
const REQUEST_BYTES = 65_536;

interface Message {
  body: string;
  visibleAtMs: number;
}

/** Receives one batch of bodies. An error fails the run. */
export type Consumer = (bodies: readonly string[]) => Promise<unknown>;

/**
 * Queues on virtual time with an event source each. A message is received once it is visible, with all others
 * that are visible then, in batches of at most `batchSize`. Each batch has its own invocation, and is deleted
 * after it.
 */
export class MeteredQueues {
  private readonly queues = new Map<string, { waiting: Message[]; batchSize: number; consume: Consumer }>();
  private inFlight = 0;

  /** @param pollMs virtual milliseconds until a visible message is received */
  constructor(
    private readonly clock: Clock,
    private readonly usage: DeploymentUsage,
    private readonly pollMs: number,
  ) {}

  consume(queueUrl: string, batchSize: number, consume: Consumer): void {
    this.queues.set(queueUrl, { waiting: [], batchSize, consume });
  }

  /** The part of the SDK's client that the stages use. `called` runs before every call. */
  client(called: () => Promise<void>): Pick<SQSClient, 'send'> {
    const send = async (command: object): Promise<object> => {
      await called();
      if (command instanceof SendMessageBatchCommand) {
        return this.accept(command.input.QueueUrl!, command.input.Entries!);
      }
      if (!(command instanceof GetQueueAttributesCommand)) throw new Error('a call that no stage makes');
      this.usage.sqsRequest();
      const visible = this.visible(command.input.QueueUrl!).length;
      return {
        Attributes: {
          ApproximateNumberOfMessages: String(visible),
          ApproximateNumberOfMessagesNotVisible: String(this.inFlight),
        },
      };
    };
    return { send: send as SQSClient['send'] };
  }

  private accept(queueUrl: string, entries: readonly SendMessageBatchRequestEntry[]): object {
    this.usage.sqsRequest(requestsFor(entries.map(({ MessageBody }) => MessageBody!)));
    const nowMs = this.clock.monotonicMs();
    const { waiting } = this.queueOf(queueUrl);
    const delays = new Set(entries.map(({ DelaySeconds = 0 }) => DelaySeconds * 1_000));
    for (const { MessageBody, DelaySeconds = 0 } of entries)
      waiting.push({ body: MessageBody!, visibleAtMs: nowMs + DelaySeconds * 1_000 });
    for (const delayMs of delays) void this.receiveAfter(queueUrl, delayMs + this.pollMs);
    return { Successful: entries.map(({ Id }) => ({ Id })) };
  }

  private async receiveAfter(queueUrl: string, ms: number): Promise<void> {
    await this.clock.sleep(ms);
    const queue = this.queueOf(queueUrl);
    const visible = this.visible(queueUrl);
    if (visible.length === 0) return;
    queue.waiting = queue.waiting.filter((message) => !visible.includes(message));
    for (const taken of chunksOf(visible, queue.batchSize)) void this.deliver(queue.consume, taken);
  }

  private async deliver(consume: Consumer, taken: readonly Message[]): Promise<void> {
    const bodies = taken.map(({ body }) => body);
    this.usage.sqsRequest(requestsFor(bodies)); // the receive
    this.inFlight += taken.length;
    await consume(bodies);
    this.inFlight -= taken.length;
    this.usage.sqsRequest(); // the delete
  }

  private visible(queueUrl: string): Message[] {
    const nowMs = this.clock.monotonicMs();
    return this.queueOf(queueUrl).waiting.filter(({ visibleAtMs }) => visibleAtMs <= nowMs);
  }

  private queueOf(queueUrl: string) {
    const queue = this.queues.get(queueUrl);
    if (!queue) throw new Error(`${queueUrl} has no consumer`);
    return queue;
  }
}

const requestsFor = (bodies: readonly string[]): number =>
  Math.max(1, Math.ceil(bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0) / REQUEST_BYTES));
