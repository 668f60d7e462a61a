import { Stack, Token } from 'aws-cdk-lib';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import type { Construct } from 'constructs';

import type { StageConfig } from '../config/stage-config';

/** The partition of the commercial regions, for which all of this was made. */
const COMMERCIAL = 'aws';
const ARN = /arn:(aws[\w-]*):[^"]*/g;

/**
 * Throws an Error for a region outside the commercial partition, if the deployment would have a user pool.
 * Cognito has no sign-in page there, or another address for it. ARNs of another partition name
 * nothing that the deployment can reach. Without a region there is nothing to check.
 */
export function rejectOtherPartitions(scope: Construct, config: StageConfig): void {
  const { region: ofStack } = Stack.of(scope);
  // The CLI of the CDK says where it deploys a stack that names no region.
  const region = Token.isUnresolved(ofStack) ? process.env.CDK_DEFAULT_REGION : ofStack;
  const partition = region === undefined ? undefined : RegionInfo.get(region).partition;
  if (partition === undefined) return;
  const where = `${scope.node.path}: the region ${region} is of the partition ${partition}`;
  if (partition !== COMMERCIAL && config.issuer === undefined)
    throw new Error(
      `${where}, where the sign-in page of the deployment's user pool has no address that is known; expected ` +
        'issuer and audience of your own',
    );
  for (const [arn, other] of JSON.stringify(config).matchAll(ARN))
    if (other !== partition) throw new Error(`${where}; expected no ARN of another, such as ${arn}`);
}
