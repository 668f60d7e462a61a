import type { QuotaLimits } from '../contracts/quotas';

/** What quotas count. Whole numbers: fires count by the hour that begins with the job's next occurrence. */
export interface Usage {
  jobs: number;
  firesPerHour: number;
  payloadBytes: number;
  /** Runs of workflows under way. Counted as they start and end; no definition adds to them. */
  liveRuns: number;
}

export const USAGE_FIELDS = [
  'jobs',
  'firesPerHour',
  'payloadBytes',
  'liveRuns',
] as const satisfies (keyof Usage)[];

export const NO_USAGE: Usage = { jobs: 0, firesPerHour: 0, payloadBytes: 0, liveRuns: 0 };

const MINUTES_AN_HOUR = 60;

export const boundsOf = ({ jobs, firesPerMinute, payloadBytes, liveRuns }: QuotaLimits): Usage => ({
  jobs,
  firesPerHour: firesPerMinute * MINUTES_AN_HOUR,
  payloadBytes,
  liveRuns,
});

/** Planned occurrences a minute, to the hundredth. */
export const firesPerMinuteOf = ({ firesPerHour }: Usage): number =>
  Number((firesPerHour / MINUTES_AN_HOUR).toFixed(2));

const combine = (a: Usage, b: Usage, by: (x: number, y: number) => number): Usage => ({
  jobs: by(a.jobs, b.jobs),
  firesPerHour: by(a.firesPerHour, b.firesPerHour),
  payloadBytes: by(a.payloadBytes, b.payloadBytes),
  liveRuns: by(a.liveRuns, b.liveRuns),
});

export const plus = (a: Usage, b: Usage): Usage => combine(a, b, (x, y) => x + y);
export const minus = (a: Usage, b: Usage): Usage => combine(a, b, (x, y) => x - y);

/** Whether any field is at least that share of its bound, in either direction. A field that is 0 never is. */
export const reaches = (usage: Usage, bounds: Usage, share: number): boolean =>
  USAGE_FIELDS.some(
    (field) => usage[field] !== 0 && Math.abs(usage[field]) >= Math.max(1, bounds[field] * share),
  );
