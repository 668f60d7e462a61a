import { Annotations, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

import { EVERY_PROJECT } from '../../lambdas/core/contracts/target-resources';
import type { StageConfig } from '../config/stage-config';
import { allowedOf, rolesOf, serviceOf } from './aws-targets';
import type { Binding } from './binding';

/** The private hosts by project. */
export const privateHostsIn = ({ allowedPrivateHosts = [] }: StageConfig): Record<string, string[]> =>
  Array.isArray(allowedPrivateHosts)
    ? allowedPrivateHosts.length === 0
      ? {}
      : { [EVERY_PROJECT]: allowedPrivateHosts }
    : allowedPrivateHosts;

/**
 * What Lambda needs of a role to connect its functions to a VPC. EC2 describes only with `*`. Lambda deletes
 * interfaces only if the role may delete any of the account and region.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html
 */
export function makingInterfaces(scope: Construct): Binding<never> {
  const actions = ['Create', 'Delete'].map((verb) => `ec2:${verb}NetworkInterface`);
  return {
    env: {},
    statements: [
      new PolicyStatement({
        actions: [...actions, 'ec2:AssignPrivateIpAddresses', 'ec2:UnassignPrivateIpAddresses'],
        resources: [Stack.of(scope).formatArn({ service: 'ec2', resource: '*', resourceName: '*' })],
      }),
      new PolicyStatement({
        actions: ['ec2:DescribeNetworkInterfaces', 'ec2:DescribeSubnets'],
        resources: ['*'],
      }),
    ],
  };
}

/** Dollars of an interface endpoint an hour and zone. https://aws.amazon.com/privatelink/pricing/ */
const ENDPOINT_HOUR = 0.01;
const HOURS_A_MONTH = 730;

/** The services that executors call whatever the targets are; DynamoDB has an endpoint without a price. */
const ALWAYS = ['sqs', 'secretsmanager'];

/** The services whose interface endpoints a pool in a VPC needs, if it has no NAT gateway. */
export const endpointsOf = (config: StageConfig): string[] => [
  ...new Set([
    ...ALWAYS,
    ...(config.lifecycleEvents === 'off' ? [] : ['events']),
    ...(Object.keys(rolesOf(config)).length > 0 ? ['sts'] : []),
    ...Object.values(allowedOf(config)).flat().map(serviceOf),
  ]),
];

/** Says at synthesis what the endpoints of the pools cost, before they are deployed. */
export function sayPrices(scope: Construct, config: StageConfig): void {
  const endpoints = endpointsOf(config);
  for (const [pool, { vpc }] of Object.entries(config.pools)) {
    if (!vpc) continue;
    const zones = vpc.subnetIds.length;
    const dollars = endpoints.length * zones * ENDPOINT_HOUR * HOURS_A_MONTH;
    Annotations.of(scope).addInfoV2(
      `quarterjack:endpoints-of-${pool}`,
      `pool ${pool}: interface endpoints for ${endpoints.join(', ')} in ${zones} zones cost $${dollars.toFixed(2)} ` +
        'a month, and a cent a GB; a gateway endpoint for DynamoDB is free (docs/private-targets.md)',
    );
  }
}
