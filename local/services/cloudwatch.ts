import * as z from 'zod';

import { denialMessage } from '../iam/access';
import { SECOND_MS } from '../machine/clock';
import type { MetricStore } from '../metrics/metric-store';
import { type AwsService, awsError, awsJson } from './aws-call';

/** CloudWatch's own limit for one request. */
const MAX_DATAPOINTS = 100_800;

/** In the JSON protocol, times are Unix times in seconds. */
const GetMetricData = z.object({
  StartTime: z.number(),
  EndTime: z.number(),
  ScanBy: z.enum(['TimestampAscending', 'TimestampDescending']).default('TimestampDescending'),
  MetricDataQueries: z.array(
    z.strictObject({
      Id: z.string().regex(/^[a-z][a-zA-Z0-9_]*$/),
      Label: z.string().optional(),
      MetricStat: z.strictObject({
        Metric: z.strictObject({
          Namespace: z.string(),
          MetricName: z.string(),
          Dimensions: z.array(z.strictObject({ Name: z.string(), Value: z.string() })).default([]),
        }),
        Period: z.int().multipleOf(60),
        Stat: z.string().regex(/^(?:Sum|Average|Minimum|Maximum|SampleCount|p\d+(?:\.\d+)?)$/),
      }),
    }),
  ),
});
type GetMetricData = z.output<typeof GetMetricData>;

/** CloudWatch's `GetMetricData` over the metrics of this run. It knows no expressions. */
export function cloudWatch(metrics: Pick<MetricStore, 'read'>): AwsService {
  const resultOf = (query: GetMetricData['MetricDataQueries'][number], request: GetMetricData) => {
    const { Metric, Period, Stat } = query.MetricStat;
    const fromSec = Math.floor(request.StartTime / Period) * Period;
    const values = metrics.read(
      {
        namespace: Metric.Namespace,
        name: Metric.MetricName,
        dimensions: Object.fromEntries(Metric.Dimensions.map(({ Name, Value }) => [Name, Value])),
      },
      Stat,
      { fromMs: fromSec * SECOND_MS, periodMs: Period * SECOND_MS, periods: periodsOf(query, request) },
    );
    const points = values.flatMap((value, index) =>
      value === null ? [] : [{ atSec: fromSec + index * Period, value }],
    );
    if (request.ScanBy === 'TimestampDescending') points.reverse();
    return {
      Id: query.Id,
      Label: query.Label ?? Metric.MetricName,
      Timestamps: points.map(({ atSec }) => atSec),
      Values: points.map(({ value }) => value),
      StatusCode: 'Complete',
    };
  };

  return {
    targetPrefix: 'GraniteServiceVersion20100801.',
    async call({ action, body }) {
      if (action !== 'GetMetricData')
        return awsError(400, 'InvalidAction', `The local run does not support CloudWatch's ${action}`);
      const { success, data, error } = GetMetricData.safeParse(jsonIn(body));
      if (!success) return awsError(400, 'ValidationException', z.prettifyError(error));
      const datapoints = data.MetricDataQueries.reduce((sum, query) => sum + periodsOf(query, data), 0);
      if (datapoints > MAX_DATAPOINTS)
        return awsError(400, 'ValidationException', `${datapoints} datapoints; at most ${MAX_DATAPOINTS}`);
      return awsJson({ MetricDataResults: data.MetricDataQueries.map((query) => resultOf(query, data)) });
    },
    permissions: ({ action }) => [{ action: `cloudwatch:${action}`, resource: '*' }],
    denied: (denial) => awsError(403, 'AccessDenied', denialMessage(denial)),
    async stop() {},
  };
}

/** Undefined for a malformed body, which fails the check of the request. */
function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const periodsOf = (
  { MetricStat: { Period } }: GetMetricData['MetricDataQueries'][number],
  { StartTime, EndTime }: GetMetricData,
): number => Math.max(0, Math.ceil(EndTime / Period) - Math.floor(StartTime / Period));
