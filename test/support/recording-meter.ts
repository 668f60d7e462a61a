import type { MetricName } from '../../lambdas/core/contracts/metrics';
import type { Meter } from '../../lambdas/core/telemetry/telemetry';

/** A meter that a test can read back. */
export class RecordingMeter implements Meter {
  private readonly totals = new Map<MetricName, number>();
  private readonly recorded = new Map<MetricName, number[]>();

  count(name: MetricName, value = 1): void {
    this.totals.set(name, this.total(name) + value);
  }

  record(name: MetricName, value: number): void {
    const values = this.recorded.get(name);
    if (values) values.push(value);
    else this.recorded.set(name, [value]);
  }

  /** Whether something was counted under a name, even 0. */
  hasCounted(name: MetricName): boolean {
    return this.totals.has(name);
  }

  /** Sum of what was counted under a name. */
  total(name: MetricName): number {
    return this.totals.get(name) ?? 0;
  }

  /** All that was recorded under a name, in order. */
  values(name: MetricName): readonly number[] {
    return this.recorded.get(name) ?? [];
  }
}
