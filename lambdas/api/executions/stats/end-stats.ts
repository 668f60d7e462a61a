import { Histogram } from '../../../core/domain/histogram';
import type { JournalEnd } from '../../../core/domain/journal-end';
import type { EndStatsView } from '../../../core/http/openapi/stats';
import { type EndCounts, noEnds } from '../search/ends-of-day';

/** What ends add up to. */
export class EndStats {
  private readonly counts: EndCounts = noEnds();
  private readonly duration = new Histogram();
  private readonly lateness = new Histogram();
  private late = 0;
  private latestMs = 0;

  add({ status, skipped, startedAtMs, finishedAtMs, latenessMs }: JournalEnd): void {
    this.counts[status] += skipped?.count ?? 1;
    if (startedAtMs !== undefined && (status === 'succeeded' || status === 'failed'))
      this.duration.add(finishedAtMs - startedAtMs);
    if (latenessMs === undefined) return;
    this.lateness.add(latenessMs);
    if (latenessMs > LATE_MS) this.late += 1;
    this.latestMs = Math.max(this.latestMs, latenessMs);
  }

  view(): EndStatsView {
    const { counts, duration, lateness, late, latestMs } = this;
    const { succeeded, failed } = counts;
    return {
      counts,
      successRate: succeeded + failed === 0 ? null : succeeded / (succeeded + failed),
      duration: { p50: duration.percentile(0.5), p95: duration.percentile(0.95) },
      lateness: {
        p50: lateness.percentile(0.5),
        p95: lateness.percentile(0.95),
        p99: lateness.percentile(0.99),
        max: lateness.percentile(1) === null ? null : latestMs,
      },
      late,
    };
  }
}

/** Who waits notices a second. */
const LATE_MS = 1_000;
