import { App } from 'aws-cdk-lib';

import { QuarterjackStack } from '../../lib/quarterjack-stack';
import type { StageConfig } from '../../lib/config/stage-config';
import { MAXIMAL_ISSUER, SMALLEST } from './maximal';
import { QUICK, stubBundles } from './synth';

const ENV = { ...process.env };
beforeEach(() => delete process.env.CDK_DEFAULT_REGION);
afterEach(() => (process.env = { ...ENV }));

const inRegion = (config: StageConfig, region?: string) =>
  new QuarterjackStack(new App(QUICK), `Quarterjack-${config.stage}`, {
    config,
    bundlesDir: stubBundles(),
    ...(region && { env: { account: '111122223333', region } }),
  });
const ISSUER = { issuer: 'https://login.example.com', audience: ['jobs'] };
const OTHERS = [
  ['us-gov-west-1', 'aws-us-gov'],
  ['cn-north-1', 'aws-cn'],
  ['us-iso-east-1', 'aws-iso'],
  ['eusc-de-east-1', 'aws-eusc'],
] as const;

test.each(OTHERS)('in %s a deployment needs an issuer of its own', (region, partition) => {
  expect(() => inRegion(SMALLEST, region)).toThrow(
    `Quarterjack-a/Default: the region ${region} is of the partition ${partition}, where the sign-in page of ` +
      "the deployment's user pool has no address that is known; expected issuer and audience of your own",
  );
  expect(() => inRegion({ ...SMALLEST, ...ISSUER }, region)).not.toThrow();
});

test('a stack without a region is checked by that to which the CLI deploys', () => {
  expect(() => inRegion(SMALLEST)).not.toThrow();
  process.env.CDK_DEFAULT_REGION = 'us-gov-east-1';
  expect(() => inRegion(SMALLEST)).toThrow('us-gov-east-1');
  process.env.CDK_DEFAULT_REGION = 'ap-southeast-7';
  expect(() => inRegion(SMALLEST)).not.toThrow();
});

test('a region that the CDK does not know yet is no fault', () => {
  expect(() => inRegion(SMALLEST, 'xx-new-1')).not.toThrow();
});

test.each([
  { allowedTargetArns: ['arn:aws-cn:sqs:cn-north-1:111122223333:orders'] },
  { assumeRole: { roleArn: 'arn:aws-us-gov:iam::111122223333:role/targets', externalId: 'x1' } },
])('%j has an ARN that a commercial region cannot reach', (more) => {
  const config = { ...SMALLEST, ...more } as unknown as StageConfig;
  expect(() => inRegion(config, 'eu-central-1')).toThrow(
    'the region eu-central-1 is of the partition aws; expected no ARN of another, such as arn:aws-',
  );
});

test('ARNs of commercial regions are as unreachable elsewhere', () => {
  expect(() => inRegion(MAXIMAL_ISSUER, 'eu-central-1')).not.toThrow();
  expect(() => inRegion(MAXIMAL_ISSUER, 'cn-north-1')).toThrow(
    'expected no ARN of another, such as arn:aws:',
  );
});
