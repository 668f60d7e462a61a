import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

import {
  DEPLOYMENT_DIMENSION,
  type MetricName,
  METRICS_NAMESPACE,
  QUEUE_DIMENSIONS,
} from '../contracts/metrics';
import type { Meter, QueueName } from '../telemetry/telemetry';

/** A meter that writes its values at the end of the invocation. */
export interface InvocationMeter extends Meter {
  flush(): void;
}

export interface MeterSettings {
  /** Name of the stack. */
  DEPLOYMENT: string;
  /** @default 'off' */
  METRICS_BY_PRIORITY?: 'on' | 'off';
}

/**
 * CloudWatch's embedded metric format on stdout, by Powertools: no call, and no cost but the log line. Counts
 * are summed first, so a scan of thousands is one number. Recorded values stay separate, for percentiles. The
 * stage is a field of the line and not a dimension, because each dimension value is a metric that is billed.
 */
export function powertoolsMeter(stage: string, settings: MeterSettings): InvocationMeter {
  const deployment = { [DEPLOYMENT_DIMENSION]: settings.DEPLOYMENT };
  const whole = new Sheet(stage, deployment);
  const byQueue = new Map<string, Sheet>();

  const sheetsFor = (queue: QueueName | undefined): Sheet[] => {
    if (!queue || settings.METRICS_BY_PRIORITY !== 'on') return [whole];
    const { pool, priority } = queue;
    const key = `${pool}/${priority}`;
    let sheet = byQueue.get(key);
    if (!sheet) {
      const dimensions = { [QUEUE_DIMENSIONS.pool]: pool, [QUEUE_DIMENSIONS.priority]: priority };
      byQueue.set(key, (sheet = new Sheet(stage, { ...deployment, ...dimensions })));
    }
    return [whole, sheet];
  };

  return {
    count: (name, value = 1, queue) => {
      for (const sheet of sheetsFor(queue)) sheet.count(name, value);
    },
    record: (name, value, queue) => {
      for (const sheet of sheetsFor(queue)) sheet.record(name, value);
    },
    flush: () => {
      for (const sheet of [whole, ...byQueue.values()]) sheet.flush();
    },
  };
}

/** The metrics with the same dimensions: one log line. */
class Sheet {
  private readonly counts = new Map<MetricName, number>();
  private readonly metrics = new Metrics({ namespace: METRICS_NAMESPACE });

  constructor(
    private readonly stage: string,
    dimensions: Record<string, string>,
  ) {
    this.metrics.clearDefaultDimensions(); // Powertools' own is the service
    this.metrics.setDefaultDimensions(dimensions);
  }

  count(name: MetricName, value: number): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + value);
  }

  record(name: MetricName, value: number): void {
    // Repeated for each value: Powertools writes a line and drops the metadata at every hundredth value.
    this.metrics.addMetadata('stage', this.stage);
    this.metrics.addMetric(name, unitOf(name), value);
  }

  flush(): void {
    for (const [name, value] of this.counts) this.record(name, value);
    this.counts.clear();
    if (this.metrics.hasStoredMetrics()) this.metrics.publishStoredMetrics();
  }
}

function unitOf(name: MetricName): (typeof MetricUnit)[keyof typeof MetricUnit] {
  if (name.endsWith('Ms')) return MetricUnit.Milliseconds;
  return name.endsWith('Sec') ? MetricUnit.Seconds : MetricUnit.Count;
}
