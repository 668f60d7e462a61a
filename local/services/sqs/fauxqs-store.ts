import type { InFlight, QueuedMessage } from './message';
import type { LocalQueue } from './local-queue';

/**
 * Gives fauxqs our queues. fauxqs implements the SQS protocol: it validates requests, creates messages with
 * their MD5 hashes, and formats errors. Its own queues have three faults. They scan all delayed messages
 * fifty times a second, wake all waiting polls at once, and give messages to polls whose client has
 * disconnected.
 */
export class FauxqsStore {
  // fauxqs sets both at its start.
  host = '127.0.0.1';
  region: string | undefined;
  private readonly queues = new Map<string, FauxqsQueue>();

  constructor(private readonly create: (name: string, attributes: Record<string, string>) => LocalQueue) {}

  createQueue(
    name: string,
    _url: string,
    _arn: string,
    attributes: Record<string, string> = {},
  ): FauxqsQueue {
    const queue = new FauxqsQueue(this.create(name, attributes));
    this.queues.set(name, queue);
    return queue;
  }

  deleteQueue(url: string): boolean {
    return this.queues.delete(nameIn(url));
  }

  /** Finds a queue by the last segment of its URL: clients may use another name of the host. */
  getQueue(url: string): FauxqsQueue | undefined {
    return this.queues.get(nameIn(url));
  }

  getQueueByName(name: string): FauxqsQueue | undefined {
    return this.queues.get(name);
  }

  getQueueByArn(arn: string): FauxqsQueue | undefined {
    return this.queues.get(arn.slice(arn.lastIndexOf(':') + 1));
  }

  listQueues(prefix = '', maxResults = 1000): FauxqsQueue[] {
    return [...this.queues.values()].filter(({ name }) => name.startsWith(prefix)).slice(0, maxResults);
  }

  buildQueueUrl(name: string): string {
    return name;
  }

  /** Nothing to do: waiting polls end with their connections. */
  shutdown(): void {}
}

const nameIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** The interface through which fauxqs uses a queue. */
class FauxqsQueue {
  constructor(readonly queue: LocalQueue) {}

  get name(): string {
    return this.queue.name;
  }
  get url(): string {
    return this.queue.url;
  }
  get arn(): string {
    return this.queue.arn;
  }
  get attributes(): Record<string, string> {
    return this.queue.attributes;
  }
  get tags(): Map<string, string> {
    return this.queue.tags;
  }
  get inflightMessages(): Map<string, InFlight> {
    return this.queue.inFlight;
  }

  isFifo(): boolean {
    return false;
  }

  getAllAttributes(requested: string[]): Record<string, string> {
    const { ready, delayed, inFlight } = this.queue.counts;
    const all: Record<string, string> = {
      ...this.queue.attributes,
      QueueArn: this.queue.arn,
      ApproximateNumberOfMessages: String(ready),
      ApproximateNumberOfMessagesDelayed: String(delayed),
      ApproximateNumberOfMessagesNotVisible: String(inFlight),
    };
    if (requested.includes('All')) return all;
    return Object.fromEntries(Object.entries(all).filter(([name]) => requested.includes(name)));
  }

  setAttributes(attributes: Record<string, string>): void {
    Object.assign(this.queue.attributes, attributes);
  }

  enqueue(message: QueuedMessage): void {
    this.queue.send(message);
  }

  dequeue(max: number, visibilityTimeoutSec?: number): Record<string, unknown>[] {
    return this.queue.receive(max, visibilityTimeoutSec).map(({ message, receiptHandle }) => ({
      MessageId: message.messageId,
      ReceiptHandle: receiptHandle,
      MD5OfBody: message.md5OfBody,
      Body: message.body,
      ...(message.md5OfMessageAttributes && {
        MD5OfMessageAttributes: message.md5OfMessageAttributes,
        MessageAttributes: message.messageAttributes,
      }),
    }));
  }

  deleteMessage(receiptHandle: string): boolean {
    return this.queue.delete(receiptHandle);
  }

  changeVisibility(receiptHandle: string, timeoutSec: number): void {
    this.queue.changeVisibility(receiptHandle, timeoutSec);
  }

  purge(): void {
    this.queue.purge();
  }
}
