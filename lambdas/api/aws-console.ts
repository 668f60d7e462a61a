import { partitionOf } from '../core/delivery/arn';

const HOSTS = {
  aws: 'console.aws.amazon.com',
  'aws-cn': 'console.amazonaws.cn',
  'aws-us-gov': 'console.amazonaws-us-gov.com',
} as const;

/** Where the AWS console of a region is, in its partition: without a slash at the end. */
export const awsConsole = (region: string): string => `https://${region}.${HOSTS[partitionOf(region)]}`;
