import * as z from 'zod';

/** One value, or several, of one metric under one set of dimensions. */
export interface Datum {
  namespace: string;
  name: string;
  dimensions: Record<string, string>;
  values: readonly number[];
  atMs: number;
}

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

/**
 * What CloudWatch would make of one line of a function's log, by its embedded metric format: each metric once for each
 * set of dimensions. Nothing, for a line that is not in the format.
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
    return undefined; // a line of somebody else's that only looks like one
  }
}
