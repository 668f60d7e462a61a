import type { Clock } from '../machine/clock';
import type { AwsMetrics } from '../metrics/aws-metrics';
import type { FunctionSpec } from '../template/stack';
import { AsyncInvoker } from './async-invoker';
import type { InvokeOutcome } from './environment';
import { Invoker, type InvokerOptions } from './invoker';

interface FunctionsDeps extends InvokerOptions {
  clock: Clock;
  awsMetrics: AwsMetrics;
  /** Sends an event that failed for good to a queue of the stack, under the role of its function. */
  sendToQueue(from: FunctionSpec, queueArn: string, body: string): Promise<void>;
}

/** The running functions of the stack. Events and payloads are JSON. */
export interface Functions {
  /** Never rejects. */
  invoke(functionArn: string, event: string): Promise<InvokeOutcome>;
  /** Starts one environment of a function before any event needs it. See `Invoker.warmUp`. */
  warmUp(functionArn: string): void;
  /** See `ProcessorRoom.hasRoom`. */
  hasRoom(): boolean;
  /** Does not wait for the invocation. */
  invokeAsync(functionArn: string, event: string): void;
  /** See `Invoker.kill`. */
  kill(functionLogicalId: string): boolean;
  stop(): void;
}

export async function startFunctions(specs: FunctionSpec[], deps: FunctionsDeps): Promise<Functions> {
  const { clock, awsMetrics, sendToQueue, logs } = deps;
  const invoker = await Invoker.start(specs, deps);
  const spec = (functionArn: string) => invoker.spec(functionArn);
  const invoke = (functionArn: string, event: string) =>
    awsMetrics.measureInvocation(spec(functionArn).name, () => invoker.invoke(functionArn, event));
  const asyncInvoker = new AsyncInvoker({ clock, invoke, spec, sendToQueue, onError: logs.err });
  return {
    invoke,
    hasRoom: () => invoker.hasRoom,
    warmUp: (functionArn) => invoker.warmUp(functionArn),
    invokeAsync: (functionArn, event) => asyncInvoker.invoke(functionArn, event),
    kill: (functionLogicalId) => invoker.kill(functionLogicalId),
    stop() {
      asyncInvoker.stop();
      invoker.stop();
    },
  };
}
