import type { MetricStore, MetricTotals } from './metric-store';

/** `Content-Type` of the text format, version 0.0.4. */
export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * All metrics of the run in the text format of Prometheus. Each is a summary: sum and count since the start
 * of the run. A gauge beside it has the last value, as `…_last`.
 */
export function prometheusText(store: Pick<MetricStore, 'totals'>): string {
  const byName = new Map<string, MetricTotals[]>();
  for (const one of store.totals()) {
    const name = nameOf(one);
    byName.set(name, [...(byName.get(name) ?? []), one]);
  }
  return [...byName]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, series]) => familyOf(name, series))
    .join('');
}

function familyOf(name: string, series: readonly MetricTotals[]): string {
  const lines = [`# TYPE ${name} summary`];
  for (const one of series) {
    const labels = labelsOf(one);
    lines.push(`${name}_sum${labels} ${one.sum}`, `${name}_count${labels} ${one.count}`);
  }
  lines.push(`# TYPE ${name}_last gauge`);
  for (const one of series) lines.push(`${name}_last${labelsOf(one)} ${one.last}`);
  return `${lines.join('\n')}\n`;
}

/** `AWS/SQS` and `ApproximateAgeOfOldestMessage` are `aws_sqs_approximate_age_of_oldest_message`. */
const nameOf = ({ namespace, name }: MetricTotals): string =>
  `${namespace}_${name}`
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .toLowerCase();

function labelsOf({ dimensions }: MetricTotals): string {
  const labels = Object.entries(dimensions).map(
    ([key, value]) => `${key.replaceAll(/[^A-Za-z\d_]/g, '_')}="${escaped(value)}"`,
  );
  return labels.length === 0 ? '' : `{${labels.join(',')}}`;
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
