import { DAY_MS } from '../../core/clock/clock';
import type { Execution } from '../../core/domain/execution';
import { failedHostOf, fingerprintOf, fingerprintText } from '../../core/domain/fingerprint';
import type { Job } from '../../core/domain/job';
import { CLOCK_SKEW_MS } from '../../core/domain/timing';
import { findJobs } from '../../core/store/read-whole';
import type { ApiDeps } from '../request';
import { isRetained } from './execution-view';

/** What selects failures by their rows. */
export interface FailureFilter {
  status?: 'failed' | 'skipped';
  view?: 'inbox';
  host?: string;
  fingerprint?: string;
  blocksKey?: boolean;
}

/** Reasons of skips that no user asked for. */
const UNASKED: ReadonlySet<string> = new Set(['misfire', 'overlap', 'not-started', 'crashed']);

const isInInbox = ({ status, reason }: Execution): boolean =>
  status !== 'skipped' || UNASKED.has(reason ?? '');

/** Whether a row of the failures index passes. */
export function passesFailure(row: Execution, filter: FailureFilter, nowMs: number): boolean {
  const { status, view, host, fingerprint, blocksKey } = filter;
  return (
    isRetained(row, nowMs) &&
    (status === undefined || row.status === status) &&
    (view === undefined || isInInbox(row)) &&
    (!blocksKey || row.blocksKey === true) &&
    (host === undefined || failedHostOf(row) === host) &&
    (fingerprint === undefined || hasFingerprint(row, fingerprint))
  );
}

function hasFingerprint(row: Execution, text: string): boolean {
  const fingerprint = fingerprintOf(row);
  return fingerprint !== undefined && fingerprintText(fingerprint) === text;
}

const DEFAULT_WINDOW_MS = 7 * DAY_MS;

/** Due times `[fromMs, toMs)`: by default the last week, and never older than retention. */
export function failureWindow(
  { from, to }: { from?: number; to?: number },
  nowMs: number,
  { retentionDays }: Pick<ApiDeps, 'retentionDays'>,
): { fromMs: number; toMs: number } {
  const toMs = to ?? nowMs + CLOCK_SKEW_MS;
  // Older rows have been removed.
  return { fromMs: Math.max(from ?? toMs - DEFAULT_WINDOW_MS, nowMs - retentionDays * DAY_MS), toMs };
}

/** The jobs of rows as they are now, by jobKey. Each is read once, and a deleted one is missing. */
export type JobsOf = (rows: readonly Pick<Execution, 'jobKey'>[]) => Promise<ReadonlyMap<string, Job>>;

/** Reads the jobs of one request. Throws a retryable error if a job could not be read. */
export function jobReader(deps: Pick<ApiDeps, 'jobs'>): JobsOf {
  const known = new Map<string, Job>();
  const asked = new Set<string>();
  return async (rows) => {
    const missing = [...new Set(rows.map(({ jobKey }) => jobKey))].filter((jobKey) => !asked.has(jobKey));
    if (missing.length > 0) {
      const { jobs: found } = await findJobs(missing, deps);
      for (const jobKey of missing) asked.add(jobKey);
      for (const [jobKey, job] of found) known.set(jobKey, job);
    }
    return known;
  };
}
