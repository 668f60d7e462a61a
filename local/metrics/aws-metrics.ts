import type { RequestListener } from 'node:http';

import { type Clock, SECOND_MS } from '../machine/clock';
import type { InvokeOutcome } from '../invoke/environment';
import type { LocalQueue } from '../services/sqs/local-queue';
import type { QueueSpec } from '../template/stack';
import type { MetricStore } from './metric-store';

const SAMPLE_EVERY_MS = 5 * SECOND_MS;

/** The metrics that AWS itself publishes, under the same names. They appear a little sooner than in AWS. */
export class AwsMetrics {
  constructor(
    private readonly store: MetricStore,
    private readonly clock: Clock,
  ) {}

  /** Samples the message counts of the queues, and the ages of the oldest messages, every five seconds. */
  sampleQueues(specs: readonly QueueSpec[], queueOf: (arn: string) => LocalQueue): { stop(): void } {
    const sample = (): void => {
      for (const { name, arn } of specs) {
        const queue = queueOf(arn);
        const { ready, delayed, inFlight } = queue.counts;
        const ageMs = queue.oldestAgeMs;
        const dimensions = { QueueName: name };
        this.put('AWS/SQS', dimensions, 'ApproximateNumberOfMessagesVisible', ready);
        this.put('AWS/SQS', dimensions, 'ApproximateNumberOfMessagesNotVisible', inFlight);
        this.put('AWS/SQS', dimensions, 'ApproximateNumberOfMessagesDelayed', delayed);
        if (ageMs !== undefined)
          this.put('AWS/SQS', dimensions, 'ApproximateAgeOfOldestMessage', Math.floor(ageMs / SECOND_MS));
      }
    };
    sample();
    const timer = setInterval(sample, SAMPLE_EVERY_MS);
    return { stop: () => clearInterval(timer) };
  }

  /** Measures an invocation of a function. */
  async measureInvocation(
    functionName: string,
    invoke: () => Promise<InvokeOutcome>,
  ): Promise<InvokeOutcome> {
    const startedAtMs = this.clock.nowMs();
    const outcome = await invoke();
    const dimensions = { FunctionName: functionName };
    this.put('AWS/Lambda', dimensions, 'Invocations', 1);
    this.put('AWS/Lambda', dimensions, 'Errors', outcome.ok ? 0 : 1);
    this.put('AWS/Lambda', dimensions, 'Throttles', 0);
    this.put('AWS/Lambda', dimensions, 'Duration', this.clock.nowMs() - startedAtMs);
    return outcome;
  }

  /** Measures the requests of a listener, each when its response is finished. */
  measureRequests(apiId: string, listener: RequestListener): RequestListener {
    return (request, response) => {
      const startedAtMs = this.clock.nowMs();
      response.once('finish', () => {
        const { statusCode } = response;
        const dimensions = { ApiId: apiId };
        this.put('AWS/ApiGateway', dimensions, 'Count', 1);
        this.put('AWS/ApiGateway', dimensions, '4xx', statusCode >= 400 && statusCode < 500 ? 1 : 0);
        this.put('AWS/ApiGateway', dimensions, '5xx', statusCode >= 500 ? 1 : 0);
        this.put('AWS/ApiGateway', dimensions, 'Latency', this.clock.nowMs() - startedAtMs);
      });
      listener(request, response);
    };
  }

  private put(namespace: string, dimensions: Record<string, string>, name: string, value: number): void {
    this.store.put({ namespace, name, dimensions, values: [value], atMs: this.clock.nowMs() });
  }
}
