import { type Clock, MINUTE_MS } from '../machine/clock';
import { EVENT_SOURCE_LIMITS } from '../template/event-source-limits';
import type { MappingSpec } from '../template/stack';

/** Batches at once of an event source: at first, how many more each minute, and at most. */
export interface Ramp {
  start: number;
  morePerMinute: number;
  most: number;
}

/** The ramp that Lambda gives to an event source, with or without provisioned pollers. */
export function lambdaRamp({
  maxConcurrency,
  minPollers = 0,
}: Pick<MappingSpec, 'maxConcurrency' | 'minPollers'>): Ramp {
  const { start, morePerMinute, pollerBatches, pollersMorePerMinute } = EVENT_SOURCE_LIMITS;
  return {
    start: Math.min(minPollers > 0 ? minPollers * pollerBatches : start, maxConcurrency),
    morePerMinute: minPollers > 0 ? pollersMorePerMinute : morePerMinute,
    most: maxConcurrency,
  };
}

/** All batches from the first message on: what a machine does whose executors wait for work. */
export const noRamp = ({ maxConcurrency }: Pick<MappingSpec, 'maxConcurrency'>): Ramp => ({
  start: maxConcurrency,
  morePerMinute: 0,
  most: maxConcurrency,
});

/** After this long without a batch, a source starts anew. AWS publishes no figure. */
const SILENCE_MS = MINUTE_MS;

/**
 * How many batches an event source may have at once. The number grows only while all of them are at work: a
 * source that has too few messages for its batches gets no more.
 */
export class Scaling {
  /** How long all allowed batches have been at work, since the last silence. */
  private fullMs = 0;
  private lastEndMs = Number.NEGATIVE_INFINITY;
  private onEnd: (() => void) | undefined;

  constructor(
    private readonly ramp: Ramp,
    private readonly clock: Clock,
  ) {}

  get batches(): number {
    const { start, morePerMinute, most } = this.ramp;
    return Math.min(most, start + Math.floor((this.fullMs * morePerMinute) / MINUTE_MS));
  }

  /** To be called for the first batch after some time without any. */
  wakes(): void {
    if (this.clock.nowMs() - this.lastEndMs >= SILENCE_MS) this.fullMs = 0;
  }

  ended(): void {
    this.lastEndMs = this.clock.nowMs();
    this.onEnd?.();
  }

  /**
   * While all allowed batches run: resolves when one of them ends, when one more is allowed, or after
   * `mostMs`.
   */
  async whileFull(mostMs = Number.POSITIVE_INFINITY): Promise<void> {
    const sinceMs = this.clock.nowMs();
    const moreMs = this.batches < this.ramp.most ? this.untilMoreMs() : Number.POSITIVE_INFINITY;
    const waitMs = Math.min(moreMs, mostMs);
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.onEnd = resolve;
      if (waitMs < Number.POSITIVE_INFINITY) timer = setTimeout(resolve, waitMs);
    });
    clearTimeout(timer);
    this.fullMs += this.clock.nowMs() - sinceMs;
  }

  private untilMoreMs(): number {
    const { start, morePerMinute } = this.ramp;
    return Math.ceil(((this.batches + 1 - start) * MINUTE_MS) / morePerMinute - this.fullMs);
  }
}
