import { type Clock, MINUTE_MS, SECOND_MS } from '../machine/clock';
import { messageOf } from '../run/errors';
import type { FunctionSpec } from '../template/stack';
import type { InvokeOutcome } from './environment';
import type { InvokeError } from './protocol';

/** Lambda waits one minute before the first retry of an event, and two before the second. */
const RETRY_AFTER_MS = [MINUTE_MS, 2 * MINUTE_MS];

interface AsyncInvokerDeps {
  clock: Clock;
  /** `event` is JSON. Never rejects. */
  invoke(functionArn: string, event: string): Promise<InvokeOutcome>;
  spec(functionArn: string): FunctionSpec;
  /** Sends a message to a queue of the stack, under the role of the function. */
  sendToQueue(from: FunctionSpec, queueArn: string, body: string): Promise<void>;
  onError(line: string): void;
}

/** Lambda's asynchronous invocation: accepts an event at once, and retries it within its limits. */
export class AsyncInvoker {
  private readonly retries = new Set<NodeJS.Timeout>();
  private stopped = false;

  constructor(private readonly deps: AsyncInvokerDeps) {}

  /** `event` is JSON. Does not wait for the invocation. */
  invoke(functionArn: string, event: string): void {
    this.attempt(functionArn, event, 0, this.deps.clock.nowMs()).catch((error: unknown) =>
      this.deps.onError(messageOf(error)),
    );
  }

  stop(): void {
    this.stopped = true;
    for (const retry of this.retries) clearTimeout(retry);
  }

  private async attempt(
    functionArn: string,
    event: string,
    retry: number,
    acceptedAtMs: number,
  ): Promise<void> {
    const outcome = await this.deps.invoke(functionArn, event);
    if (outcome.ok || this.stopped) return;
    const { maxRetries, maxAgeSec } = this.deps.spec(functionArn).asyncInvoke;
    const afterMs = RETRY_AFTER_MS[retry];
    const untilMs = acceptedAtMs + maxAgeSec * SECOND_MS;
    if (retry >= maxRetries || afterMs === undefined || this.deps.clock.nowMs() + afterMs > untilMs)
      return this.giveUp(functionArn, event, outcome.error);
    const timer = setTimeout(() => {
      this.retries.delete(timer);
      this.attempt(functionArn, event, retry + 1, acceptedAtMs).catch((error: unknown) =>
        this.deps.onError(messageOf(error)),
      );
    }, afterMs);
    this.retries.add(timer);
  }

  private async giveUp(functionArn: string, event: string, error: InvokeError): Promise<void> {
    const spec = this.deps.spec(functionArn);
    const { logicalId, asyncInvoke } = spec;
    this.deps.onError(
      `[${logicalId}] an asynchronous event failed after its last retry: ${error.errorMessage}`,
    );
    if (asyncInvoke.deadLetterArn) await this.deps.sendToQueue(spec, asyncInvoke.deadLetterArn, event);
    if (asyncInvoke.destinationArn)
      await this.deps.sendToQueue(
        spec,
        asyncInvoke.destinationArn,
        JSON.stringify({
          version: '1.0',
          requestContext: { functionArn: `${functionArn}:$LATEST`, condition: 'RetriesExhausted' },
          requestPayload: JSON.parse(event) as unknown,
          responsePayload: error,
        }),
      );
  }
}
