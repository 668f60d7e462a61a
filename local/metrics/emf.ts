import * as z from 'zod';

import type { Datum, MetricStore } from './metric-store';

const Line = z.looseObject({
  _aws: z.object({
    Timestamp: z.number(),
    CloudWatchMetrics: z.array(
      z.object({
        Namespace: z.string(),
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string() })),
      }),
    ),
  }),
});

const Values = z.union([z.number().transform((value) => [value]), z.array(z.number())]);

/** Puts the metrics of log lines into a store. */
export const collectMetrics =
  (store: MetricStore) =>
  (line: string): void => {
    for (const datum of metricsIn(line)) store.put(datum);
  };

/**
 * The metrics that CloudWatch would extract from a log line in its embedded metric format (EMF): each metric
 * once for each set of dimensions. None for any other line.
 */
export function metricsIn(line: string): Datum[] {
  if (!line.startsWith('{') || !line.includes('"CloudWatchMetrics"')) return [];
  const parsed = Line.safeParse(parseJson(line));
  if (!parsed.success) return [];
  const { _aws: directive, ...fields } = parsed.data;
  return directive.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Metrics.flatMap(({ Name }) => {
      const values = Values.safeParse(fields[Name]);
      if (!values.success) return [];
      return Dimensions.map((names) => ({
        namespace: Namespace,
        name: Name,
        dimensions: Object.fromEntries(names.map((dimension) => [dimension, String(fields[dimension])])),
        values: values.data,
        atMs: directive.Timestamp,
      }));
    }),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // some other text that begins like EMF
  }
}
