import type { ServerResponse } from 'node:http';

import { type Clock, SECOND_MS } from '../machine/clock';
import type { InvokeOutcome } from '../invoke/environment';
import type { LocalQueue } from '../services/sqs/local-queue';
import type { QueueSpec } from '../template/stack';
import type { MetricStore } from './metric-store';

const SAMPLE_EVERY_MS = 5 * SECOND_MS;

/** The metrics that AWS publishes by itself, of what happens in the local run: by its names, and a little sooner. */
export class Published {
  constructor(
    private readonly store: MetricStore,
    private readonly clock: Clock,
  ) {}

  /** Messages in each queue, every few seconds. */
  queues(specs: readonly QueueSpec[], queueOf: (arn: string) => LocalQueue): { stop(): void } {
    const sample = (): void => {
      for (const { name, arn } of specs) {
        const { ready, delayed, inFlight } = queueOf(arn).counts;
        const dimensions = { QueueName: name };
        this.put('AWS/SQS', dimensions, 'ApproximateNumberOfMessagesVisible', ready);
        this.put('AWS/SQS', dimensions, 'ApproximateNumberOfMessagesNotVisible', inFlight);
        this.put('AWS/SQS', dimensions, 'ApproximateNumberOfMessagesDelayed', delayed);
      }
    };
    sample();
    const timer = setInterval(sample, SAMPLE_EVERY_MS);
    return { stop: () => clearInterval(timer) };
  }

  /** One invocation of a function. */
  async invocation(functionName: string, invoke: () => Promise<InvokeOutcome>): Promise<InvokeOutcome> {
    const startedAtMs = this.clock.nowMs();
    const outcome = await invoke();
    const dimensions = { FunctionName: functionName };
    this.put('AWS/Lambda', dimensions, 'Invocations', 1);
    this.put('AWS/Lambda', dimensions, 'Errors', outcome.ok ? 0 : 1);
    this.put('AWS/Lambda', dimensions, 'Throttles', 0);
    this.put('AWS/Lambda', dimensions, 'Duration', this.clock.nowMs() - startedAtMs);
    return outcome;
  }

  /** One request to an HTTP API, once it is answered. */
  request(apiId: string, response: ServerResponse): void {
    const startedAtMs = this.clock.nowMs();
    response.once('finish', () => {
      const { statusCode } = response;
      const dimensions = { ApiId: apiId };
      this.put('AWS/ApiGateway', dimensions, 'Count', 1);
      this.put('AWS/ApiGateway', dimensions, '4xx', statusCode >= 400 && statusCode < 500 ? 1 : 0);
      this.put('AWS/ApiGateway', dimensions, '5xx', statusCode >= 500 ? 1 : 0);
      this.put('AWS/ApiGateway', dimensions, 'Latency', this.clock.nowMs() - startedAtMs);
    });
  }

  private put(namespace: string, dimensions: Record<string, string>, name: string, value: number): void {
    this.store.put({ namespace, name, dimensions, values: [value], atMs: this.clock.nowMs() });
  }
}
