import { MINUTE_MS, SECOND_MS } from '../clock/clock';
import type { Errand } from './errand';

/** Probes a second in each process that orders or makes them, for each type of errands and region. */
const PROBES_PER_SEC = 2;
const BURST = 10;
/** After a throttled probe, so long is half of it allowed. */
const HALVED_FOR_MS = MINUTE_MS;

interface Bucket {
  tokens: number;
  filledAtMs: number;
  halvedUntilMs: number;
}

const REGION = /^(?:[^:]*:){3}([^:]*)/;

/** Bounds the probes of a process: services throttle them for the whole account. */
export class ProbeBudget {
  private readonly buckets = new Map<string, Bucket>();

  /** Whether another probe is allowed, which then counts. */
  take(errand: Pick<Errand, 'type' | 'resource'>, nowMs: number): boolean {
    const bucket = this.bucketOf(errand, nowMs);
    const rate = (nowMs < bucket.halvedUntilMs ? 0.5 : 1) * (PROBES_PER_SEC / SECOND_MS);
    bucket.tokens = Math.min(BURST, bucket.tokens + Math.max(0, nowMs - bucket.filledAtMs) * rate);
    bucket.filledAtMs = nowMs;
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
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
    const bucket = this.buckets.get(key) ?? { tokens: BURST, filledAtMs: nowMs, halvedUntilMs: 0 };
    this.buckets.set(key, bucket);
    return bucket;
  }
}
