import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

import { type MetricName, METRICS_NAMESPACE } from '../contracts/metrics';
import type { Meter } from '../telemetry/telemetry';

/** A meter that holds its values until the end of the invocation. */
export interface InvocationMeter extends Meter {
  flush(): void;
}

/**
 * CloudWatch's embedded format on stdout, by Powertools: no call, no cost but the log line. Counts are added up first,
 * so a scan of thousands is one number; recorded values are kept apart, for percentiles. Dimension: `service` = stage.
 */
export function powertoolsMeter(
  stage: string,
  metrics: Metrics = new Metrics({ namespace: METRICS_NAMESPACE, serviceName: stage }),
): InvocationMeter {
  const counts = new Map<MetricName, number>();
  return {
    count: (name, value = 1) => {
      counts.set(name, (counts.get(name) ?? 0) + value);
    },
    record: (name, value) => {
      metrics.addMetric(name, unitOf(name), value);
    },
    flush: () => {
      for (const [name, value] of counts) metrics.addMetric(name, MetricUnit.Count, value);
      counts.clear();
      if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
    },
  };
}

function unitOf(name: MetricName): (typeof MetricUnit)[keyof typeof MetricUnit] {
  if (name.endsWith('Ms')) return MetricUnit.Milliseconds;
  return name.endsWith('Sec') ? MetricUnit.Seconds : MetricUnit.Count;
}
