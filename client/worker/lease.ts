import { AuthenticationError, ConflictError, NotFoundError, ValidationError } from '../errors';
import type { AttemptCalls } from './attempt-calls';
import { StoppedError } from './errors';
import { type LeaseRules, mustKeepFirst, nextLeaseStep, type StopReason } from './lease-rules';
import { elapsedMs, later, type Moment } from './moment';
import type { Progress } from './progress';
import { pause, type WorkerSurroundings } from './surroundings';

interface Claimed {
  /** When the claim was first sent: the lease is at most this old. */
  sentAt: Moment;
  /** When its answer arrived. */
  answeredAt: Moment;
}

/** Heartbeats that a claim which took long is kept by, before it is given up. */
const FIRST_TRIES = 3;
const FIRST_PAUSE_MS = 1_000;
/** After these, the API takes no further report of the attempt. */
const GONE = [ConflictError, AuthenticationError, NotFoundError];

/** Keeps the lease of one attempt by heartbeats, and says when the work has to stop. */
export class Lease {
  private readonly stopped = new AbortController();
  private readonly ended = new AbortController();
  private readonly listeners = new Set<() => void>();
  private keptAt: Moment;
  private triedAt: Moment | undefined;
  private trying: Promise<void> | undefined;
  private progress: Progress | undefined;
  private gone = false;
  private cancelled = false;

  constructor(
    private readonly calls: Pick<AttemptCalls, 'heartbeat'>,
    readonly rules: LeaseRules,
    private readonly claimed: Claimed,
    private readonly surroundings: Pick<WorkerSurroundings, 'now' | 'sleep'>,
  ) {
    this.keptAt = claimed.sentAt;
  }

  /** Aborts with a `StoppedError` when the work has to stop. */
  get signal(): AbortSignal {
    return this.stopped.signal;
  }

  get stopReason(): StopReason | undefined {
    const reason: unknown = this.stopped.signal.reason;
    return reason instanceof StoppedError ? reason.reason : undefined;
  }

  /** The API has said that the attempt has ended, or that another one has replaced it. */
  get isGone(): boolean {
    return this.gone;
  }

  /** Until when the work may go on without another acknowledged heartbeat. */
  get keptUntil(): Moment {
    return later(this.keptAt, this.rules.keepsForMs);
  }

  /** Whether another worker may have the lease by now. */
  get mayBeLost(): boolean {
    const { graceMs, keepsForMs } = this.rules;
    return this.gone || elapsedMs(this.keptAt, this.surroundings.now()) >= keepsForMs + graceMs;
  }

  /** Calls `listener` after each acknowledged heartbeat. Returns what takes it back. */
  onKept(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** False if the lease is lost before the work begins. After a claim that took long, it is kept first. */
  async begin(): Promise<boolean> {
    const isOld = () => mustKeepFirst(elapsedMs(this.keptAt, this.surroundings.now()), this.rules);
    for (let tries = 0; tries < FIRST_TRIES && isOld() && !this.signal.aborted; tries++) {
      if (tries > 0) await pause(FIRST_PAUSE_MS, this.signal, this.surroundings);
      await this.heartbeat();
    }
    if (isOld()) this.stop('lost');
    else void this.keep();
    return !this.signal.aborted;
  }

  /** Asks the work to stop. The lease is kept until `end`. */
  stop(reason: StopReason): void {
    this.stopped.abort(new StoppedError(reason));
  }

  /** Stops the work if its time is over. A process that was frozen may learn of it before a timer fires. */
  review(): void {
    const next = nextLeaseStep(this.state(), this.rules);
    if (next.step === 'abort') this.stop(next.reason);
  }

  /** Sends a heartbeat now. Its failure is left to the next one. */
  heartbeat(): Promise<void> {
    this.trying ??= this.tryOnce().finally(() => (this.trying = undefined));
    return this.trying;
  }

  /** Goes with a heartbeat soon. A later one takes its place. */
  tell(progress: Progress): void {
    this.progress = progress;
  }

  /** Sends the progress that waits, if there is one. */
  async tellNow(): Promise<void> {
    await this.trying;
    if (this.progress && !this.gone) await this.heartbeat();
  }

  /** Ends the heartbeats. */
  end(): void {
    this.ended.abort();
  }

  private async keep(): Promise<void> {
    while (!this.ended.signal.aborted && !this.gone && !this.cancelled) {
      const next = nextLeaseStep(this.state(), this.rules);
      if (next.step === 'abort') this.stop(next.reason);
      if (next.step === 'abort' && next.reason === 'lost') return;
      if (next.step === 'heartbeat') void this.heartbeat();
      if (next.step !== 'wait') continue;
      await Promise.race([
        pause(next.ms, this.ended.signal, this.surroundings),
        ...(this.trying ? [this.trying] : []),
      ]);
    }
  }

  private state() {
    const now = this.surroundings.now();
    return {
      sinceKeptMs: elapsedMs(this.keptAt, now),
      sinceClaimedMs: elapsedMs(this.claimed.answeredAt, now),
      sinceTriedMs: this.triedAt && elapsedMs(this.triedAt, now),
      isTrying: this.trying !== undefined,
      isAborted: this.stopped.signal.aborted,
      hasProgress: this.progress !== undefined,
    };
  }

  private async tryOnce(): Promise<void> {
    const sentAt = this.surroundings.now();
    this.triedAt = sentAt;
    const { progress } = this;
    this.progress = undefined;
    try {
      const { cancelRequested } = await this.calls.heartbeat(this.ended.signal, progress);
      if (cancelRequested) {
        this.cancelled = true; // the API has not extended the lease, and lets it expire
        return this.stop('cancelled');
      }
      this.keptAt = sentAt;
      for (const listener of this.listeners) listener();
    } catch (error) {
      // An API of an earlier version takes none: the next heartbeat has to do without.
      if (!(error instanceof ValidationError)) this.progress ??= progress;
      if (this.ended.signal.aborted || !GONE.some((kind) => error instanceof kind)) return;
      this.gone = true;
      this.stop('lost');
    }
  }
}
