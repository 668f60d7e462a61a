import { randomInt, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';

import { MINUTE_MS, SECOND_MS } from '../machine/clock';
import type { Callers } from '../services/callers';
import type { FunctionSpec } from '../template/stack';
import { lineSplitter } from '../metrics/line-splitter';
import { Environment, type InvokeOutcome } from './environment';
import { environmentVariables } from './environment-variables';
import type { LogSink } from './log-sink';
import type { ProcessorRoom } from './processor-room';
import type { InvokeError } from './protocol';

/** Time after which an idle environment ends, unless it is the last one. */
const MAX_IDLE_MS = 5 * MINUTE_MS;
/** If no event of a function ends for so long, one gets a further environment, though there is no room. */
const STUCK_MS = SECOND_MS;
/** How soon waiting events ask for room again. */
const RETRY_MS = 100;

/** How functions reach AWS services. */
export interface AwsAccess {
  region: string;
  awsUrl: string;
  startedMs: number;
  /** Opens a port to the services for an environment. Undefined: it calls them by HTTP. */
  openPort?: (() => MessagePort) | undefined;
}

interface FunctionPoolOptions {
  /** Maximum number of environments. Further events wait for one of them. */
  maxEnvironments: number;
  room: ProcessorRoom;
  workerFile: string;
  callers: Callers;
  aws: AwsAccess;
  log: LogSink;
}

interface PendingEvent {
  event: string;
  sinceMs: number;
  settle(outcome: InvokeOutcome): void;
}

/**
 * The execution environments of a function. They start on demand, and all event sources share them. An
 * environment that has ended is replaced when an event needs one. The most recently used environment is used
 * next, so that the surplus of a burst becomes idle and ends. While the processors are busy, events wait for
 * an environment that becomes idle, rather than for a further one.
 */
export class FunctionPool {
  private readonly environments = new Set<Environment>();
  private readonly idle: { environment: Environment; expiry: NodeJS.Timeout }[] = [];
  private readonly pending: PendingEvent[] = [];
  private starting = 0;
  private retry: NodeJS.Timeout | undefined;
  private lastEndMs = 0;
  private stopped = false;

  constructor(
    readonly spec: FunctionSpec,
    private readonly options: FunctionPoolOptions,
  ) {}

  /** `event` is JSON. Never rejects: a crash, a timeout and a failed start are outcomes too. */
  invoke(event: string): Promise<InvokeOutcome> {
    if (this.stopped) return Promise.resolve(STOPPED);
    return new Promise((settle) => {
      this.pending.push({ event, settle, sinceMs: performance.now() });
      this.dispatch();
    });
  }

  /** It has no environment, not even one that starts. */
  get isCold(): boolean {
    return this.environments.size === 0;
  }

  /** Starts one environment before any event needs it. */
  warmUp(): void {
    if (!this.stopped && this.isCold) this.start();
  }

  /** Ends a random environment, preferably a busy one. False if there is none. */
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
    clearTimeout(this.retry);
    for (const environment of [...this.environments]) environment.kill();
    for (const { settle } of this.pending.splice(0)) settle(STOPPED);
  }

  private dispatch(): void {
    if (this.stopped) return;
    while (this.pending.length > 0 && this.idle.length > 0) {
      const { environment, expiry } = this.idle.pop() as (typeof this.idle)[number];
      clearTimeout(expiry);
      this.assign(environment, this.pending.shift() as PendingEvent);
    }
    while (this.starting < this.pending.length && this.mayStart()) this.start();
    clearTimeout(this.retry);
    const waitsForRoom =
      this.starting < this.pending.length && this.environments.size < this.options.maxEnvironments;
    if (waitsForRoom) this.retry = setTimeout(() => this.dispatch(), RETRY_MS);
  }

  private mayStart(): boolean {
    const { size } = this.environments;
    const [oldest] = this.pending;
    if (size === 0 || !oldest) return true;
    if (size >= this.options.maxEnvironments) return false;
    if (this.options.room.hasRoom) return true;
    const stuckSinceMs = Math.max(oldest.sinceMs, this.lastEndMs);
    return this.starting === 0 && performance.now() - stuckSinceMs >= STUCK_MS;
  }

  private assign(environment: Environment, { event, settle }: PendingEvent): void {
    const requestId = randomUUID();
    const timeoutMs = this.spec.timeoutSec * 1000;
    void environment.invoke({ requestId, event, timeoutMs }).then((outcome) => {
      if (!outcome.ok && !this.stopped) this.options.log.invokeError(requestId, outcome.error);
      if (this.environments.has(environment)) this.becomeIdle(environment);
      settle(outcome);
    });
  }

  private becomeIdle(environment: Environment): void {
    this.lastEndMs = performance.now();
    const expiry = setTimeout(() => {
      if (this.environments.size > 1) environment.kill();
    }, MAX_IDLE_MS);
    this.idle.push({ environment, expiry: expiry.unref() });
    this.dispatch();
  }

  private start(): void {
    const { spec, options } = this;
    const [file, exportName] = spec.handler.split('.') as [string, string];
    const credentials = options.callers.issue(spec);
    this.starting += 1;
    const started = options.room.starts();
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
        awsPort: options.aws.openPort?.(),
      },
      variables: environmentVariables(spec, credentials, options.aws),
      onOutput: (stream, text) => {
        options.log.write(stream, text);
        if (stream === 'stdout') lines(text);
      },
      onReady: () => {
        ready = true;
        this.starting -= 1;
        started();
        this.becomeIdle(environment);
      },
      onEnd: (error) => {
        if (!ready) this.starting -= 1;
        started();
        this.environments.delete(environment);
        options.callers.revoke(credentials.accessKeyId);
        const index = this.idle.findIndex((one) => one.environment === environment);
        for (const { expiry } of index < 0 ? [] : this.idle.splice(index, 1)) clearTimeout(expiry);
        if (error) this.startFailed(error);
        else this.dispatch();
      },
    });
    this.environments.add(environment);
  }

  /** The event that has waited longest gets the error, since the environment was started for it. */
  private startFailed(error: InvokeError): void {
    if (this.stopped) return;
    this.options.log.invokeError('at start', error);
    this.pending.shift()?.settle({ ok: false, error });
    this.dispatch();
  }
}

const STOPPED: InvokeOutcome = {
  ok: false,
  error: { errorType: 'Runtime.ExitError', errorMessage: 'The local run has stopped', trace: [] },
};
