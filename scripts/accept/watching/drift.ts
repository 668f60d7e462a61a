import {
  DescribeStackDriftDetectionStatusCommand,
  DetectStackDriftCommand,
  paginateDescribeStackResourceDrifts,
  type StackResourceDrift,
} from '@aws-sdk/client-cloudformation';

import { type Finding, noProblems } from '../check';
import type { AwsSite } from '../site/site';
import { until } from '../until';

/** Drift detection asks for each resource. */
const DRIFT_PATIENCE_MS = 15 * 60_000;

/**
 * Services return some values in another order or form than they got, and CloudFormation takes that for a
 * change. The detail lists what differs.
 */
export async function drift(site: AwsSite): Promise<Finding> {
  const { cloudFormation } = site.clients;
  const { StackDriftDetectionId } = await cloudFormation.send(
    new DetectStackDriftCommand({ StackName: site.stackName }),
  );
  const ask = new DescribeStackDriftDetectionStatusCommand({ StackDriftDetectionId });
  const found = await until(
    site,
    () => cloudFormation.send(ask),
    ({ DetectionStatus }) => DetectionStatus !== 'DETECTION_IN_PROGRESS',
    DRIFT_PATIENCE_MS,
  );
  if (found.DetectionStatus !== 'DETECTION_COMPLETE')
    return {
      holds: false,
      detail: `${found.DetectionStatus}: ${found.DetectionStatusReason ?? 'no reason'}`,
    };
  if (found.StackDriftStatus === 'IN_SYNC') return { holds: true, detail: 'IN_SYNC' };
  const [changed, same]: [string[], string[]] = [[], []];
  const query = {
    StackName: site.stackName,
    StackResourceDriftStatusFilters: ['MODIFIED' as const, 'DELETED' as const],
  };
  for await (const page of paginateDescribeStackResourceDrifts({ client: cloudFormation }, query))
    for (const one of page.StackResourceDrifts ?? []) (isSame(one) ? same : changed).push(textOf(one));
  if (changed.length > 0 || same.length === 0)
    return noProblems(changed.length > 0 ? changed : [String(found.StackDriftStatus)], 'IN_SYNC');
  return { holds: true, detail: `only the order or the form of values differs: ${same.join('; ')}` };
}

function textOf({
  LogicalResourceId,
  StackResourceDriftStatus,
  PropertyDifferences = [],
}: StackResourceDrift) {
  const paths = PropertyDifferences.map(({ PropertyPath }) => PropertyPath).join(', ');
  return `${LogicalResourceId} is ${StackResourceDriftStatus}${paths === '' ? '' : ` at ${paths}`}`;
}

/** Whether all that the template says is there, in whatever order. */
function isSame({
  StackResourceDriftStatus,
  ExpectedProperties,
  ActualProperties,
}: StackResourceDrift): boolean {
  if (StackResourceDriftStatus !== 'MODIFIED' || ActualProperties === undefined) return false;
  const parsed = (text: string | undefined) => plain(JSON.parse(text ?? '{}'));
  return JSON.stringify(parsed(ExpectedProperties)) === JSON.stringify(parsed(ActualProperties));
}

/** An alias of a key, by name as by ARN. */
const ALIAS = /^arn:[\w-]+:kms:[^:]*:\d+:(alias\/.+)$/;

/** A value without what services do not keep: the order of lists and of properties, and one of two names. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return ALIAS.exec(value)?.[1] ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => [JSON.stringify(plain(item)), plain(item)] as const);
    return items.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
  }
  const entries = Object.entries(value).map(([key, item]) => [key, plain(item)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
