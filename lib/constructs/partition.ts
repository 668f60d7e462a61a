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
  const region = regionOf(scope);
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

/** Throws an Error for a domain whose certificate is of another region: API Gateway takes none from there. */
export function rejectOtherRegion(scope: Construct, { domain }: StageConfig): void {
  const region = regionOf(scope);
  const ofCertificate = domain?.certificateArn.split(':')[3];
  if (region === undefined || ofCertificate === undefined || ofCertificate === region) return;
  throw new Error(
    `${scope.node.path}: domain.certificateArn = ${JSON.stringify(domain?.certificateArn)}: expected a ` +
      `certificate in ${region}, the region of the stack`,
  );
}

/** Where a stack is deployed; undefined if it is not known yet. */
function regionOf(scope: Construct): string | undefined {
  const { region } = Stack.of(scope);
  // The CLI of the CDK says where it deploys a stack that names no region.
  return Token.isUnresolved(region) ? process.env.CDK_DEFAULT_REGION : region;
}
