import { ConflictError, ConnectionError, RateLimitError, ServerError } from '../errors';
import type { ConnectionOptions } from '../options';
import type { Work } from '../types';
import { type AttemptCalls, attemptCalls } from './attempt-calls';
import type { ClaimAnswer } from './claims';
import { durationMs } from './duration';
import type { WorkerEvent, WorkOutcome } from './events';
import { Lease } from './lease';
import { leaseRulesOf } from './lease-rules';
import type { LogStream } from './log-buffer';
import { LogSender } from './log-sender';
import { elapsedMs } from './moment';
import { type Handled, type Report, reportOf } from './outcome';
import { progressOf } from './progress';
import { checkedPayload, type StandardSchema } from './standard-schema';
import { pause, type WorkerSurroundings } from './surroundings';

/** What a handler can use while it works. */
export interface WorkContext {
  /** Aborts when the work has to stop. Its reason is a `StoppedError`. */
  signal: AbortSignal;
  /** Appends a line to the log of the attempt. Never waits, and never throws. */
  log(text: string, stream?: LogStream): void;
  /** Whether the log takes no more lines. */
  isLogFull(): boolean;
  /**
   * Says how far the work is, from 0 to 1, and what is done now. Never waits: it goes with a heartbeat, at
   * most every 5 s. Throws an `ArgumentError` for another value.
   */
  progress(value: number, text?: string): void;
  /** Sends a heartbeat now. The worker also sends them by itself. */
  heartbeat(): Promise<void>;
  /** For what has to end with the lease, such as a process: how long it is kept, and when that changes. */
  lease: Pick<Lease, 'rules' | 'keptUntil' | 'onKept'>;
}

export interface RunOptions<Payload> {
  connection: Pick<ConnectionOptions, 'url' | 'retry' | 'surroundings'>;
  graceMs: number;
  schema: StandardSchema<Payload> | undefined;
  handler(work: Work & { payload: Payload }, context: WorkContext): unknown;
  onEvent(event: WorkerEvent): void;
  surroundings: WorkerSurroundings;
}

/** The log is sent before the outcome, so that a reader who follows it sees its end; but not at any price. */
const LOG_BEFORE_REPORT_MS = 10_000;
const LOG_AFTER_REPORT_MS = 30_000;
const REPORT_RETRY_MS = 2_000;
const DEFAULT_HEARTBEAT_TIMEOUT_MS = 60_000;
/** After these, the report is sent again. */
const TEMPORARY = [ConnectionError, RateLimitError, ServerError];

/** One attempt, from the answer of its claim to the report of its outcome. */
export class WorkRun<Payload> {
  readonly lease: Lease;
  private readonly calls: AttemptCalls;
  private readonly log: LogSender;
  private readonly startedAt;

  constructor(
    private readonly work: Work,
    claim: Pick<ClaimAnswer, 'sentAt' | 'answeredAt'>,
    private readonly options: RunOptions<Payload>,
  ) {
    const { connection, graceMs, surroundings } = options;
    const rules = leaseRulesOf({
      heartbeatTimeoutMs: durationMs(work.heartbeatTimeout) ?? DEFAULT_HEARTBEAT_TIMEOUT_MS,
      attemptTimeoutMs: Date.parse(work.deadline) - Date.parse(work.claimedAt),
      graceMs,
    });
    this.calls = attemptCalls(work.token, rules.heartbeatWithinMs, connection);
    this.lease = new Lease(this.calls, rules, claim, surroundings);
    this.log = new LogSender(this.calls, surroundings, (error) =>
      options.onEvent({ type: 'log-failed', work, error }),
    );
    this.startedAt = surroundings.now();
  }

  /** Gives the work back unstarted. */
  async release(): Promise<void> {
    this.ended(await this.send({ report: 'release' }), {});
  }

  /** Runs the handler under the lease, and reports its outcome. Never rejects. */
  async run(): Promise<void> {
    const { onEvent } = this.options;
    if (!(await this.lease.begin())) {
      this.lease.end();
      return this.ended('lost', {});
    }
    onEvent({ type: 'started', work: this.work });
    const handled = await this.handle();
    this.lease.review();
    const report = reportOf(handled, this.lease.stopReason);
    if (report.report !== 'nothing')
      await Promise.all([this.lease.tellNow(), this.log.close(LOG_BEFORE_REPORT_MS)]);
    const outcome = await this.send(report);
    this.lease.end();
    if (!this.lease.isGone) await this.log.close(LOG_AFTER_REPORT_MS);
    this.log.abandon();
    this.ended(outcome, report);
  }

  private async handle(): Promise<Handled> {
    const { schema, handler } = this.options;
    const { lease, log, work } = this;
    try {
      const payload = await checkedPayload(work.payload, schema);
      const value = await handler(
        { ...work, payload },
        {
          signal: lease.signal,
          log: (text: unknown, stream) => log.write(String(text), stream), // JavaScript may log an error
          isLogFull: () => log.isFull,
          progress: (value, text) => lease.tell(progressOf(value, text)),
          heartbeat: () => lease.heartbeat(),
          lease,
        },
      );
      return { value };
    } catch (error) {
      return { error };
    }
  }

  /** Repeats the report while the lease lasts. A result that the API does not take is left out. */
  private async send(report: Report): Promise<WorkOutcome> {
    if (report.report === 'nothing') return 'lost';
    const { surroundings } = this.options;
    const forever = new AbortController();
    for (let sent = report; ;) {
      try {
        return await this.sendOnce(sent, forever.signal);
      } catch (error) {
        if (error instanceof ConflictError) return 'lost';
        if (TEMPORARY.some((kind) => error instanceof kind)) {
          if (this.lease.mayBeLost) return 'unreported';
          await pause(REPORT_RETRY_MS, forever.signal, surroundings);
        } else if (sent.report === 'complete' && sent.result !== undefined)
          sent = { report: 'complete', result: undefined };
        else return 'unreported';
      }
    }
  }

  private async sendOnce(
    report: Exclude<Report, { report: 'nothing' }>,
    signal: AbortSignal,
  ): Promise<WorkOutcome> {
    if (report.report === 'complete') await this.calls.complete(report.result, signal);
    else if (report.report === 'fail') await this.calls.fail(report, signal);
    else await this.calls.release(signal);
    return report.report === 'complete' ? 'succeeded' : report.report === 'fail' ? 'failed' : 'released';
  }

  private ended(outcome: WorkOutcome, report: Report | object): void {
    const { onEvent, surroundings } = this.options;
    const failed = 'error' in report ? { error: report.error, retriable: report.retriable } : {};
    onEvent({
      type: 'ended',
      work: this.work,
      outcome,
      ...failed,
      ...(this.lease.stopReason && { stopped: this.lease.stopReason }),
      durationMs: elapsedMs(this.startedAt, surroundings.now()),
      droppedLogLines: this.log.droppedLines,
    });
  }
}
