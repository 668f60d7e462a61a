import { Worker } from 'node:worker_threads';

import { messageOf } from '../run/errors';
import type { EnvironmentData, EnvironmentMessage, Invocation, InvokeError } from './protocol';

/**
 * By default, V8 keeps 32 MB for what an environment has just allocated: twice the rest of its heap. With
 * this limit it keeps 4 MB, and takes about as much processor time for an execution.
 */
const YOUNG_GENERATION_MB = 6;

/** The outcome of an invocation. `payload` is JSON, undefined if the handler returned nothing. */
export type InvokeOutcome = { ok: true; payload: string | undefined } | { ok: false; error: InvokeError };

interface EnvironmentOptions {
  workerFile: string;
  data: EnvironmentData;
  variables: Record<string, string>;
  onOutput(stream: 'stdout' | 'stderr', text: string): void;
  onReady(): void;
  /** Called once, when the environment has ended. `error` is set if it ended before it was ready. */
  onEnd(error: InvokeError | undefined): void;
}

/** An execution environment, as seen by the main thread. A crash, a timeout or `kill` ends it. */
export class Environment {
  private readonly worker: Worker;
  private current: { settle(outcome: InvokeOutcome): void; timer: NodeJS.Timeout } | undefined;
  private ready = false;
  private ended = false;
  private startError: InvokeError | undefined;

  constructor(private readonly options: EnvironmentOptions) {
    this.worker = new Worker(options.workerFile, {
      workerData: options.data,
      transferList: options.data.awsPort ? [options.data.awsPort] : [],
      env: options.variables,
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: options.data.memoryMb,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      },
    });
    this.worker.stdout.setEncoding('utf8').on('data', (text: string) => options.onOutput('stdout', text));
    this.worker.stderr.setEncoding('utf8').on('data', (text: string) => options.onOutput('stderr', text));
    this.worker.on('message', (message: EnvironmentMessage) => this.receive(message));
    this.worker.on('error', (error) =>
      this.end({
        errorType: 'Runtime.ExitError',
        errorMessage: messageOf(error),
        trace: [error.stack ?? ''],
      }),
    );
    this.worker.on('exit', (code) =>
      this.end({ errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with ${code}`, trace: [] }),
    );
  }

  get busy(): boolean {
    return this.current !== undefined;
  }

  /** May be called only while the environment is ready and not busy. Never rejects. */
  invoke(invocation: Invocation): Promise<InvokeOutcome> {
    return new Promise((settle) => {
      const timer = setTimeout(() => {
        const seconds = (invocation.timeoutMs / 1000).toFixed(2);
        const errorMessage = `${invocation.requestId} Task timed out after ${seconds} seconds`;
        this.end({ errorType: 'Sandbox.Timedout', errorMessage, trace: [] });
      }, invocation.timeoutMs);
      this.current = { settle, timer };
      this.worker.postMessage(invocation);
    });
  }

  /** Ends the environment at once, even during an invocation, like a crash. */
  kill(): void {
    this.end({ errorType: 'Runtime.ExitError', errorMessage: 'The environment was killed', trace: [] });
  }

  private receive(message: EnvironmentMessage): void {
    if (this.ended) return;
    if (message.kind === 'ready') {
      this.ready = true;
      this.options.onReady();
    } else if (message.kind === 'failed-to-start') {
      this.startError = message.error;
      this.end(message.error);
    } else if (message.kind === 'result') this.settle({ ok: true, payload: message.payload });
    else this.settle({ ok: false, error: message.error });
  }

  private settle(outcome: InvokeOutcome): void {
    const { current } = this;
    if (!current) return;
    clearTimeout(current.timer);
    this.current = undefined;
    current.settle(outcome);
  }

  private end(error: InvokeError): void {
    if (this.ended) return;
    this.ended = true;
    void this.worker.terminate();
    this.settle({ ok: false, error });
    this.options.onEnd(this.ready ? undefined : (this.startError ?? error));
  }
}
