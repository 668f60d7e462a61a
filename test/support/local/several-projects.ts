import { hostname } from 'node:os';

import local from '../../../config/local.json';

/*
 * The settings of a local stage that several suites share, since each assembly takes seconds to make. Suites
 * differ by project: what one of them may do, the others may not.
 */

const HERE = 'us-east-1:000000000000';

/** A page that may read the API. */
export const SHOP = 'https://shop.example.com';
/** `alice` has a function of her own and a role; anyone may use queues and topics named `target-*`. */
export const ROLE_OF_ALICE = 'arn:aws:iam::000000000000:role/targets-of-alice';
export const FUNCTION_OF_ALICE = `arn:aws:lambda:${HERE}:function:target-of-alice`;
/** `carol` calls actions of AWS, and may pass this role to one of them. */
export const PASSED_ROLE = 'arn:aws:iam::000000000000:role/etl';
/** Private hosts of `dave`. `INSIDE` is in the networks of the pool `inner`, and leads to no machine here. */
export const INSIDE = '10.250.251.252';
export const METADATA = '169.254.169.254';
/** It resolves to an address outside those networks: that of this machine. */
export const REBOUND = hostname().toLowerCase();

/** Executors of the pools `heavy` and `inner`. */
const FEW = { highest: 2, high: 2, medium: 2, low: 2, lowest: 2, overflow: 2 };
const vpc = { subnetIds: ['subnet-0123456789abcdef0'], securityGroupIds: ['sg-0123456789abcdef0'] };

export const SEVERAL_PROJECTS = {
  allowedOrigins: [SHOP],
  allowedTargetArns: {
    alice: [FUNCTION_OF_ALICE],
    '*': [`arn:aws:sqs:${HERE}:target-*`, `arn:aws:sns:${HERE}:target-*`],
  },
  assumeRole: { alice: { roleArn: ROLE_OF_ALICE } },
  pools: {
    default: local.pools.default,
    heavy: { batchSize: 1, maxConcurrency: FEW },
    inner: { maxConcurrency: FEW, vpc, privateCidrs: ['10.250.0.0/16'] },
  },
  allowedActions: {
    carol: [
      { action: 'kinesis:PutRecord', resources: [`arn:aws:kinesis:${HERE}:stream/target-*`] },
      { action: 'dynamodb:PutItem', resources: [`arn:aws:dynamodb:${HERE}:table/*`] },
      { action: 'ec2:StopInstances', resources: [`arn:aws:ec2:${HERE}:instance/*`] },
      { action: 'sfn:StartSyncExecution', resources: ['*'] },
      {
        action: 'emrserverless:StartJobRun',
        resources: [`arn:aws:emr-serverless:${HERE}:/applications/app1`],
        passRoles: [PASSED_ROLE],
      },
    ],
  },
  signedCalls: {
    carol: [
      {
        service: 'execute-api',
        resources: [`arn:aws:execute-api:${HERE}:abc123/*`],
        hosts: ['127.0.0.1'],
      },
    ],
  },
  allowedPrivateHosts: { dave: [INSIDE, METADATA, '10.1.2.3', REBOUND] },
};
