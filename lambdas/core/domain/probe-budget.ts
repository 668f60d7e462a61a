import { MINUTE_MS, SECOND_MS } from '../clock/clock';
import { type Errand, ERRAND_RULES } from './errand';

/** Probes a second in each process that orders or makes them, for each type of errands and region. */
const PROBES_PER_SEC = 2;
const BURST = 10;
/** After a throttled probe, so long is half of it allowed. */
const HALVED_FOR_MS = MINUTE_MS;

/** Errands that one question is about at the most: as many as a batch of the watcher has messages. */
const MOST_TOGETHER = 10;
/** Tokens: a question takes as many as the errands that it may be about. */
const FULL = BURST * MOST_TOGETHER;

interface Bucket {
  tokens: number;
  filledAtMs: number;
  halvedUntilMs: number;
}

const REGION = /^(?:[^:]*:){3}([^:]*)/;

/** Bounds the probes of a process: services throttle them for the whole account. */
export class ProbeBudget {
  private readonly buckets = new Map<string, Bucket>();

  /** Whether another question is allowed, which then counts. */
  take(errand: Pick<Errand, 'type' | 'resource'>, nowMs: number): boolean {
    return this.spend(errand, nowMs, MOST_TOGETHER);
  }

  /** Whether a probe of one errand may be ordered. Ten orders may become one question. */
  takeOrder(errand: Pick<Errand, 'type' | 'resource'>, nowMs: number): boolean {
    return this.spend(errand, nowMs, ERRAND_RULES[errand.type].isAskedTogether ? 1 : MOST_TOGETHER);
  }

  private spend(errand: Pick<Errand, 'type' | 'resource'>, nowMs: number, cost: number): boolean {
    const bucket = this.bucketOf(errand, nowMs);
    const rate = (nowMs < bucket.halvedUntilMs ? 0.5 : 1) * ((PROBES_PER_SEC * MOST_TOGETHER) / SECOND_MS);
    bucket.tokens = Math.min(FULL, bucket.tokens + Math.max(0, nowMs - bucket.filledAtMs) * rate);
    bucket.filledAtMs = nowMs;
    if (bucket.tokens < cost) return false;
    bucket.tokens -= cost;
    return true;
  }

  /** The service has throttled a probe. */
  throttled(errand: Pick<Errand, 'type' | 'resource'>, nowMs: number): void {
    const bucket = this.bucketOf(errand, nowMs);
    bucket.tokens = 0;
    bucket.halvedUntilMs = nowMs + HALVED_FOR_MS;
  }

  private bucketOf({ type, resource }: Pick<Errand, 'type' | 'resource'>, nowMs: number): Bucket {
    const key = `${type} ${REGION.exec(resource)?.[1] ?? ''}`;
    const bucket = this.buckets.get(key) ?? { tokens: FULL, filledAtMs: nowMs, halvedUntilMs: 0 };
    this.buckets.set(key, bucket);
    return bucket;
  }
}
