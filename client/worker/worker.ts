import { connect } from '../connection';
import { ArgumentError, QuarterjackError } from '../errors';
import type { ConnectionOptions } from '../options';
import type { Work } from '../types';
import { type ClaimAnswer, Claims, isFatal } from './claims';
import { StoppedError } from './errors';
import type { WorkerEvent } from './events';
import { type RunOptions, type WorkContext, WorkRun } from './run-work';
import type { StandardSchema } from './standard-schema';
import { pause, type WorkerSurroundings, workerSurroundings } from './surroundings';

export interface WorkerOptions<Payload = unknown> extends Omit<ConnectionOptions, 'note' | 'surroundings'> {
  /** The work queue that jobs name. */
  queue: string;
  /** How many executions may run at a time, 1 to 100. Default 1. */
  concurrency?: number | undefined;
  /** Name of this worker, at most 64 characters. It stands on the attempts that it claims. */
  name?: string | undefined;
  /** Checks the payload, and gives it its type. An execution with another payload fails for good. */
  schema?: StandardSchema<Payload> | undefined;
  /** Does the work. Its result is reported; an error is a failure that may be retried. */
  handler(work: Work & { payload: Payload }, context: WorkContext): unknown;
  /** How long a handler needs to stop once its signal aborts, in milliseconds. Default 5,000. */
  graceMs?: number | undefined;
  /**
   * Ask for work at this distance, in milliseconds, instead of waiting at the API. Cheaper, and late by up to
   * that time.
   */
  pollMs?: number | undefined;
  /** What happens, for a log of the worker itself. */
  onEvent?: ((event: WorkerEvent) => void) | undefined;
  surroundings?: Partial<WorkerSurroundings> | undefined;
}

const MAX_CONCURRENCY = 100;
const MAX_CLAIMED = 10;
const WAIT = '20s';
const DEFAULT_GRACE_MS = 5_000;
/** After an empty answer that came at once although the API was to wait. */
const SHORT_PAUSE_MS = 1_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

/**
 * Claims executions of one work queue, runs a handler for each of them, and keeps their leases by heartbeats.
 *
 *     const handler = async ({ payload }) => load(payload);
 *     const worker = new Worker({ url, token, queue: 'warehouse', handler });
 *     process.once('SIGTERM', () => void worker.drain());
 *     await worker.start();
 */
export class Worker<Payload = unknown> {
  private readonly claims: Claims;
  private readonly runs = new Map<WorkRun<Payload>, Promise<void>>();
  private readonly draining = new AbortController();
  private readonly stopping = new AbortController();
  private readonly runOptions: RunOptions<Payload>;
  private readonly concurrency: number;
  private working: Promise<void> | undefined;
  private failures = 0;

  /** Throws a `QuarterjackError` for options that are out of range. */
  constructor(private readonly options: WorkerOptions<Payload>) {
    checkOptions(options);
    const { url, token, project, retry, queue, concurrency = 1, name, graceMs, pollMs } = options;
    if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY)
      throw new QuarterjackError(`concurrency is ${concurrency}; expected 1 to ${MAX_CONCURRENCY}`);
    if (graceMs !== undefined && !(graceMs >= 0 && graceMs <= 20 * 60_000))
      throw new QuarterjackError(`graceMs is ${graceMs}; expected 0 to 1200000`);
    if (pollMs !== undefined && !(pollMs >= 1_000 && pollMs <= 3_600_000))
      throw new QuarterjackError(`pollMs is ${pollMs}; expected 1000 to 3600000`);
    const surroundings = workerSurroundings(options.surroundings);
    const { fetch, random } = surroundings;
    const connection = { url, retry, surroundings: { fetch, random, sleep: surroundings.sleep } };
    this.concurrency = concurrency;
    this.claims = new Claims(
      connect({ ...connection, token, project }),
      { queue, worker: name },
      surroundings,
    );
    this.runOptions = {
      connection,
      graceMs: graceMs ?? DEFAULT_GRACE_MS,
      schema: options.schema,
      handler: options.handler,
      onEvent: (event) => options.onEvent?.(event),
      surroundings,
    };
  }

  /**
   * Works until `drain` or `stop`. Rejects if the API does not let the worker claim, once what runs has
   * ended.
   */
  start(): Promise<void> {
    return this.work({ untilEmpty: false });
  }

  /** Works until nothing is due any more. */
  workOff(): Promise<void> {
    return this.work({ untilEmpty: true });
  }

  /** Claims nothing more, and waits for what runs. A claim under way may take 20 s; its work is released. */
  async drain(): Promise<void> {
    this.draining.abort();
    await this.working;
  }

  /** Aborts what runs, and waits for its end. It is reported as a failure that may be retried. */
  async stop(): Promise<void> {
    this.draining.abort();
    this.stopping.abort(new StoppedError('stopped'));
    for (const { lease } of this.runs.keys()) lease.stop('stopped');
    await this.working;
  }

  private work(how: { untilEmpty: boolean }): Promise<void> {
    if (this.working) throw new QuarterjackError('the worker was started before');
    const loop = this.loop(how);
    this.working = loop.catch(() => undefined);
    // A promise of its own: if its error is not handled, the program ends with that error.
    return (async () => loop)();
  }

  private async loop({ untilEmpty }: { untilEmpty: boolean }): Promise<void> {
    try {
      while (!this.draining.signal.aborted) {
        const free = this.concurrency - this.runs.size;
        if (free <= 0) await Promise.race(this.runs.values());
        else if ((await this.claim(Math.min(free, MAX_CLAIMED), untilEmpty)) === 'empty' && untilEmpty) break;
      }
    } finally {
      while (this.runs.size > 0) await Promise.all(this.runs.values());
    }
  }

  private async claim(max: number, untilEmpty: boolean): Promise<'empty' | 'goes-on'> {
    const { surroundings } = this.runOptions;
    const sentAtMs = surroundings.now().monotonicMs;
    const wait = untilEmpty || this.options.pollMs !== undefined ? '0s' : WAIT;
    let answer: ClaimAnswer;
    try {
      answer = await this.claims.next(max, wait, this.stopping.signal);
      this.failures = 0;
    } catch (error) {
      if (this.stopping.signal.aborted) return 'goes-on';
      if (isFatal(error)) throw error;
      await this.afterFailure(error);
      return 'goes-on';
    }
    for (const work of answer.work) this.begin(work, answer);
    if (answer.work.length > 0) return 'goes-on';
    if (untilEmpty && answer.retryAfterMs === undefined) return 'empty';
    const waitedMs = surroundings.now().monotonicMs - sentAtMs;
    await this.pause(this.pauseMs(answer, waitedMs));
    return 'goes-on';
  }

  /** Before the next claim, after an empty answer. */
  private pauseMs({ retryAfterMs }: ClaimAnswer, waitedMs: number): number {
    const { pollMs } = this.options;
    const jitter = 1 + this.runOptions.surroundings.random() / 2;
    if (retryAfterMs !== undefined) return Math.max(retryAfterMs, pollMs ?? 0) * jitter;
    if (pollMs !== undefined) return pollMs;
    return waitedMs < SHORT_PAUSE_MS ? SHORT_PAUSE_MS * jitter : 0;
  }

  private async afterFailure(error: unknown): Promise<void> {
    const longestMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.failures++);
    const retryInMs = longestMs * (0.5 + this.runOptions.surroundings.random() / 2);
    this.runOptions.onEvent({ type: 'claim-failed', error, retryInMs });
    await this.pause(retryInMs);
  }

  private pause(ms: number): Promise<void> {
    return pause(ms, this.draining.signal, this.runOptions.surroundings);
  }

  private begin(work: Work, claim: ClaimAnswer): void {
    const run = new WorkRun(work, claim, this.runOptions);
    const ended = this.draining.signal.aborted ? run.release() : run.run();
    this.runs.set(
      run,
      ended.finally(() => this.runs.delete(run)),
    );
  }
}

/** What would otherwise fail in the middle of an execution. `connect` checks the rest. */
function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null)
    throw new ArgumentError('options', options, 'an object with url, queue and handler');
  const { queue, name = '', handler, schema, onEvent = handler } = options as Record<string, unknown>;
  for (const [field, value] of Object.entries({ queue, name }))
    if (typeof value !== 'string') throw new ArgumentError(field, value, 'a string');
  const { concurrency = 1, graceMs = 0, pollMs = 0 } = options as Record<string, unknown>;
  for (const [field, value] of Object.entries({ concurrency, graceMs, pollMs }))
    if (typeof value !== 'number') throw new ArgumentError(field, value, 'a number');
  for (const [field, value] of Object.entries({ handler, onEvent }))
    if (typeof value !== 'function') throw new ArgumentError(field, value, 'a function');
  const { '~standard': standard } = (schema ?? {}) as { '~standard'?: { validate?: unknown } };
  if (schema !== undefined && typeof standard?.validate !== 'function')
    throw new ArgumentError('schema', schema, 'a Standard Schema');
}
