import {
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';

import { chunksOf } from '../../lambdas/core/async/chunks';
import type { Clock } from '../../lambdas/core/clock/clock';
import type { Tally } from './tally';

/** A request carries up to 64 KB; each further 64 KB count as one more. */
const REQUEST_BYTES = 65_536;

interface Message {
  body: string;
  visibleAtMs: number;
}

/** Takes one batch of bodies; what it throws fails the run. */
export type Consumer = (bodies: readonly string[]) => Promise<void>;

/**
 * Queues on virtual time, each emptied by an event source: a message that turns up is received, with whatever else is
 * visible by then, in batches of at most `batchSize`, each batch in an invocation of its own and deleted after it.
 */
export class MeteredQueues {
  private readonly queues = new Map<string, { waiting: Message[]; batchSize: number; consume: Consumer }>();
  private inFlight = 0;

  /** @param pollMs virtual milliseconds from a message's turning up to its receipt */
  constructor(
    private readonly clock: Clock,
    private readonly tally: Tally,
    private readonly pollMs: number,
  ) {}

  consume(queueUrl: string, batchSize: number, consume: Consumer): void {
    this.queues.set(queueUrl, { waiting: [], batchSize, consume });
  }

  /** What the stages use of the SDK's client; `called` hears of every call. */
  client(called: () => Promise<void>): Pick<SQSClient, 'send'> {
    const send = async (command: object): Promise<object> => {
      await called();
      if (command instanceof SendMessageBatchCommand) {
        return this.accept(command.input.QueueUrl!, command.input.Entries!);
      }
      if (!(command instanceof GetQueueAttributesCommand)) throw new Error('not a call of the stages');
      this.tally.sqsRequest();
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
    this.tally.sqsRequest(requestsFor(entries.map(({ MessageBody }) => MessageBody!)));
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
    for (const taken of chunksOf(visible, queue.batchSize)) void this.delegateLease(queue.consume, taken);
  }

  private async delegateLease(consume: Consumer, taken: readonly Message[]): Promise<void> {
    const bodies = taken.map(({ body }) => body);
    this.tally.sqsRequest(requestsFor(bodies)); // the receive
    this.inFlight += taken.length;
    await consume(bodies);
    this.inFlight -= taken.length;
    this.tally.sqsRequest(); // the delete
  }

  private visible(queueUrl: string): Message[] {
    const nowMs = this.clock.monotonicMs();
    return this.queueOf(queueUrl).waiting.filter(({ visibleAtMs }) => visibleAtMs <= nowMs);
  }

  private queueOf(queueUrl: string) {
    const queue = this.queues.get(queueUrl);
    if (!queue) throw new Error(`nobody consumes ${queueUrl}`);
    return queue;
  }
}

const requestsFor = (bodies: readonly string[]): number =>
  Math.max(1, Math.ceil(bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0) / REQUEST_BYTES));
