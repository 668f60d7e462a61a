import { randomInt, randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { Callers } from '../services/callers';
import type { FunctionSpec } from '../template/stack';
import { lineSplitter } from '../metrics/line-splitter';
import { Environment, type InvokeOutcome } from './environment';
import { environmentVariables } from './environment-variables';
import type { LogSink } from './log-sink';
import type { InvokeError } from './protocol';

/** How long an environment that is not the last one may sit idle. */
const IDLE_MS = 5 * 60_000;

export interface FunctionPoolOptions {
  /** Environments at work at once, at most; further events wait for one. */
  maxEnvironments: number;
  workerFile: string;
  callers: Callers;
  place: { region: string; awsUrl: string };
  log: LogSink;
}

interface Waiting {
  event: string;
  settle(outcome: InvokeOutcome): void;
}

/**
 * The execution environments of one function, made when they are needed and shared by all who invoke it. One that
 * crashed or was ended is not replaced until the next event wants it. The environment used last is used next, so that
 * what a burst has left over goes idle and ends.
 */
export class FunctionPool {
  private readonly environments = new Set<Environment>();
  private readonly idle: { environment: Environment; expiry: NodeJS.Timeout }[] = [];
  private readonly waiting: Waiting[] = [];
  private starting = 0;
  private stopped = false;

  constructor(
    readonly spec: FunctionSpec,
    private readonly options: FunctionPoolOptions,
  ) {}

  /** Takes JSON text. Never rejects: a crash, a time-out and a failed start are outcomes too. */
  invoke(event: string): Promise<InvokeOutcome> {
    if (this.stopped) return Promise.resolve(STOPPED);
    return new Promise((settle) => {
      this.waiting.push({ event, settle });
      this.dispatch();
    });
  }

  /** Makes one environment before any event needs it. */
  warmUp(): void {
    if (!this.stopped && this.environments.size === 0) this.start();
  }

  /** Ends one environment at random, one that is at work if there is any. False where there is none at all. */
  kill(): boolean {
    const all = [...this.environments];
    const busy = all.filter((environment) => environment.busy);
    const from = busy.length > 0 ? busy : all;
    const victim = from[from.length > 1 ? randomInt(from.length) : 0];
    victim?.kill();
    return victim !== undefined;
  }

  stop(): void {
    this.stopped = true;
    for (const environment of [...this.environments]) environment.kill();
    for (const { settle } of this.waiting.splice(0)) settle(STOPPED);
  }

  private dispatch(): void {
    if (this.stopped) return;
    while (this.waiting.length > 0 && this.idle.length > 0) {
      const { environment, expiry } = this.idle.pop() as (typeof this.idle)[number];
      clearTimeout(expiry);
      this.hand(environment, this.waiting.shift() as Waiting);
    }
    while (this.starting < this.waiting.length && this.environments.size < this.options.maxEnvironments)
      this.start();
  }

  private hand(environment: Environment, { event, settle }: Waiting): void {
    const requestId = randomUUID();
    const timeoutMs = this.spec.timeoutSec * 1000;
    void environment.invoke({ requestId, event, timeoutMs }).then((outcome) => {
      if (!outcome.ok && !this.stopped) this.options.log.invokeError(requestId, outcome.error);
      if (this.environments.has(environment)) this.rest(environment);
      settle(outcome);
    });
  }

  private rest(environment: Environment): void {
    const expiry = setTimeout(() => {
      if (this.environments.size > 1) environment.kill();
    }, IDLE_MS);
    this.idle.push({ environment, expiry: expiry.unref() });
    this.dispatch();
  }

  private start(): void {
    const { spec, options } = this;
    const [file, exportName] = spec.handler.split('.') as [string, string];
    const credentials = options.callers.issue(spec);
    this.starting += 1;
    const lines = lineSplitter((line) => options.log.line(line));
    let ready = false;
    const environment: Environment = new Environment({
      workerFile: options.workerFile,
      data: {
        modulePath: join(spec.codeDirectory, `${file}.mjs`),
        exportName,
        functionName: spec.name,
        functionArn: spec.arn,
        memoryMb: spec.memoryMb,
      },
      variables: environmentVariables(spec, credentials, options.place),
      onOutput: (stream, text) => {
        options.log.write(stream, text);
        if (stream === 'stdout') lines(text);
      },
      onReady: () => {
        ready = true;
        this.starting -= 1;
        this.rest(environment);
      },
      onGone: (error) => {
        if (!ready) this.starting -= 1;
        this.environments.delete(environment);
        options.callers.revoke(credentials.accessKeyId);
        const index = this.idle.findIndex((one) => one.environment === environment);
        for (const { expiry } of index < 0 ? [] : this.idle.splice(index, 1)) clearTimeout(expiry);
        if (error) this.startFailed(error);
      },
    });
    this.environments.add(environment);
  }

  /** Whoever has waited longest gets the error, as its event was the reason for the start. */
  private startFailed(error: InvokeError): void {
    if (this.stopped) return;
    this.options.log.invokeError('at start', error);
    this.waiting.shift()?.settle({ ok: false, error });
    this.dispatch();
  }
}

const STOPPED: InvokeOutcome = {
  ok: false,
  error: { errorType: 'Runtime.ExitError', errorMessage: 'The local run has stopped', trace: [] },
};
