import { GetMetricStatisticsCommand } from '@aws-sdk/client-cloudwatch';

import { IDLE_A_MONTH, perMillionRuns } from '../../../cli/cost/month';
import { DEPLOYMENT_DIMENSION, Metric, METRICS_NAMESPACE } from '../../../lambdas/core/contracts/metrics';
import type { Finding } from '../check';
import type { AwsSite } from '../site/site';

const DAY_MS = 86_400_000;
const DAYS_A_MONTH = 30.4;
const DAY_SEC = 86_400;
/** The tag of every resource of a stack; Cost Explorer knows it a day after it was activated for costs. */
const TAG = 'quarterjack:deployment';
/** Milliseconds that a target of the checks takes. */
const TARGET_MS = 50;
/** Not in the arithmetic: requests that create jobs, traces of the checks, rounding to a cent. */
const TOLERANCE = 1.5;

/** A day in UTC, as `2026-11-21`. */
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Compares what a stack cost yesterday (UTC) with the arithmetic of docs/cost.md for as many executions. */
export async function bill(site: AwsSite): Promise<Finding> {
  const today = dayOf(site.nowMs());
  const day = dayOf(Date.parse(today) - DAY_MS);
  const dollars = await billedOn(site, day, today);
  const executions = await executionsOn(site, day);
  const millions = executions / 1_000_000;
  const idle = IDLE_A_MONTH / DAYS_A_MONTH;
  const [from, to] = [true, false].map(
    (isShared) => idle + millions * perMillionRuns(TARGET_MS, isShared),
  ) as [number, number];
  const range = `$${from.toFixed(2)} to $${to.toFixed(2)}`;
  return {
    holds: dollars > 0 && dollars <= to * TOLERANCE,
    detail: `${day}: billed $${dollars.toFixed(2)}; ${executions} executions are reckoned at ${range}`,
    figures: { day, dollars, executions, reckoned: { from, to } },
  };
}

/** Asked through the AWS CLI: Cost Explorer has one region, and costs a cent a request. */
async function billedOn({ exec, stackName }: AwsSite, day: string, nextDay: string): Promise<number> {
  const filter = JSON.stringify({ Tags: { Key: TAG, Values: [stackName] } });
  const output = await exec('aws', [
    ...['ce', 'get-cost-and-usage', '--output', 'json', '--granularity', 'DAILY'],
    ...['--metrics', 'UnblendedCost', '--time-period', `Start=${day},End=${nextDay}`, '--filter', filter],
  ]);
  const { ResultsByTime = [] } = JSON.parse(output) as {
    ResultsByTime?: { Total: { UnblendedCost: { Amount: string } } }[];
  };
  const dollars = ResultsByTime.reduce((sum, { Total }) => sum + Number(Total.UnblendedCost.Amount), 0);
  if (dollars === 0)
    throw new Error(
      `Cost Explorer has nothing for the tag ${TAG} on ${day}: activate it as a cost allocation tag`,
    );
  return dollars;
}

async function executionsOn({ clients, stackName }: AwsSite, day: string): Promise<number> {
  const { Datapoints = [] } = await clients.cloudWatch.send(
    new GetMetricStatisticsCommand({
      Namespace: METRICS_NAMESPACE,
      MetricName: Metric.claimed,
      Dimensions: [{ Name: DEPLOYMENT_DIMENSION, Value: stackName }],
      StartTime: new Date(day),
      EndTime: new Date(Date.parse(day) + DAY_MS),
      Period: DAY_SEC,
      Statistics: ['Sum'],
    }),
  );
  return Datapoints.reduce((sum, { Sum = 0 }) => sum + Sum, 0);
}
