import type { AwsTarget } from '../../../../../lambdas/core/domain/target';
import type { AwsPolicy } from '../../../../../lambdas/core/delivery/aws-policy';
import { targetTypeOf } from '../../../../../lambdas/core/delivery/targets/registry';
import { AWS_POLICY } from '../../../../support/aws-policy';

const check = (target: AwsTarget, awsTargets: AwsPolicy = AWS_POLICY, project = 'billing') =>
  targetTypeOf<AwsTarget>(target).check(target, { awsTargets, project });

const HERE = 'eu-central-1:111122223333';
const QUEUES = 'https://sqs.eu-central-1.amazonaws.com/111122223333';
const lambda = (functionArn: string): AwsTarget => ({ type: 'lambda', functionArn });
const sqs = (queueUrl: string): AwsTarget => ({ type: 'sqs', queueUrl });
const sns = (topicArn: string): AwsTarget => ({ type: 'sns', topicArn });
const bus = (eventBusName: string): AwsTarget => ({
  type: 'eventbridge',
  eventBusName,
  source: 'shop',
  detailType: 'Order',
});
const machine = (stateMachineArn: string): AwsTarget => ({ type: 'stepfunctions', stateMachineArn });

test.each([
  ['a function', lambda(`arn:aws:lambda:${HERE}:function:target-f`)],
  ['a version', lambda(`arn:aws:lambda:${HERE}:function:target-f:7`)],
  ['an alias', lambda(`arn:aws:lambda:${HERE}:function:target-f:prod`)],
  ['$LATEST', lambda(`arn:aws:lambda:${HERE}:function:target-f:$LATEST`)],
  ['an alias of 128 characters', lambda(`arn:aws:lambda:${HERE}:function:target-f:${'a'.repeat(128)}`)],
  ['a queue', sqs('https://sqs.eu-central-1.amazonaws.com/111122223333/target-q')],
  ['a FIFO queue', sqs('https://sqs.eu-central-1.amazonaws.com/111122223333/target-q.fifo')],
  ['a topic', sns(`arn:aws:sns:${HERE}:target-t`)],
  ['a bus by its name', bus('target-b')],
  ['a bus by its ARN', bus(`arn:aws:events:${HERE}:event-bus/target-b`)],
  ['a state machine', machine(`arn:aws:states:${HERE}:stateMachine:target-m`)],
  ['a queue of 80 characters', sqs(`${QUEUES}/target-${'q'.repeat(73)}`)],
  ['a FIFO queue of 80 characters', sqs(`${QUEUES}/target-${'q'.repeat(68)}.fifo`)],
  ['a topic of 256 characters', sns(`arn:aws:sns:${HERE}:target-${'t'.repeat(244)}.fifo`)],
  ['a bus of a partner', bus('target-aws.partner/shop.example/orders')],
])('allowed: %s', (_, target) => {
  expect(check(target)).toMatchObject({ ok: true });
});

test.each([
  ['a wildcard', lambda(`arn:aws:lambda:${HERE}:function:target-*`)],
  ['all functions', lambda('arn:aws:lambda:*:*:function:*')],
  ['another partition', lambda(`arn:aws-cn:lambda:${HERE}:function:target-f`)],
  ['another account', lambda('arn:aws:lambda:eu-central-1:999999999999:function:target-f')],
  ['another region', lambda('arn:aws:lambda:us-east-1:111122223333:function:target-f')],
  ['no version behind a colon', lambda(`arn:aws:lambda:${HERE}:function:target-f:`)],
  ['a version of an alias', lambda(`arn:aws:lambda:${HERE}:function:target-f:live:7`)],
  ['every alias', lambda(`arn:aws:lambda:${HERE}:function:target-f:*`)],
  ['an alias with a dot', lambda(`arn:aws:lambda:${HERE}:function:target-f:v1.2`)],
  ['an alias of 129 characters', lambda(`arn:aws:lambda:${HERE}:function:target-f:${'a'.repeat(129)}`)],
  ['a name with a dollar sign', lambda(`arn:aws:lambda:${HERE}:function:target-$f`)],
  ['a bare name', lambda('target-f')],
  ['300 characters', lambda(`arn:aws:lambda:${HERE}:function:target-${'f'.repeat(300)}`)],
  ['a line break', lambda(`arn:aws:lambda:${HERE}:function:target-f\n`)],
  ['a universal target', lambda('arn:aws:scheduler:::aws-sdk:iam:createUser')],
  ['a queue as a function', lambda(`arn:aws:sqs:${HERE}:target-q`)],
  ['a queue by its ARN', sqs(`arn:aws:sqs:${HERE}:target-q`)],
  ['a queue at another host', sqs('https://sqs.eu-central-1.amazonaws.com.evil.org/111122223333/target-q')],
  ['a queue behind a user', sqs('https://x@sqs.eu-central-1.amazonaws.com/111122223333/target-q')],
  ['a queue without TLS', sqs('http://sqs.eu-central-1.amazonaws.com/111122223333/target-q')],
  ['a queue on this machine', sqs('http://127.0.0.1:4566/111122223333/target-q')],
  ['a queue with a query', sqs('https://sqs.eu-central-1.amazonaws.com/111122223333/target-q?Action=Purge')],
  ['a path', sqs('https://sqs.eu-central-1.amazonaws.com/111122223333/../target-q')],
  ['a subscription', sns(`arn:aws:sns:${HERE}:target-t:8a21d249-4329-4871-acc6-7be709c6ea7f`)],
  ['another bus', bus('default')],
  ['an execution', machine(`arn:aws:states:${HERE}:execution:target-m:run`)],
  ['a version of a state machine', machine(`arn:aws:states:${HERE}:stateMachine:target-m:1`)],
])('rejected: %s', (_, target) => {
  expect(check(target)).toMatchObject({ ok: false });
});

describe('if any ARN is allowed', () => {
  const any = { ...AWS_POLICY, allowedArns: { '*': ['*'] } };

  test.each([
    ['a queue in China', sqs('https://sqs.cn-north-1.amazonaws.com.cn/111122223333/q')],
    ['a function in China', lambda('arn:aws-cn:lambda:cn-north-1:111122223333:function:f')],
    ['a topic in GovCloud', sns('arn:aws-us-gov:sns:us-gov-west-1:111122223333:t')],
    ['a bus named by dots and letters', bus('..a')],
  ])('%s is allowed', (_, target) => {
    expect(check(target, any)).toMatchObject({ ok: true });
  });

  test.each([
    [
      'a queue outside China with the domain of China',
      sqs('https://sqs.us-east-1.amazonaws.com.cn/111122223333/q'),
    ],
    ['a queue in China with the other domain', sqs('https://sqs.cn-north-1.amazonaws.com/111122223333/q')],
    ['a queue of 81 characters', sqs(`${QUEUES}/${'q'.repeat(81)}`)],
    ['a FIFO queue of 85 characters', sqs(`${QUEUES}/${'q'.repeat(80)}.fifo`)],
    ['a topic of 257 characters', sns(`arn:aws:sns:${HERE}:${'t'.repeat(252)}.fifo`)],
    ['no region', lambda('arn:aws:lambda:x:111122223333:function:f')],
    ['a region without a number', lambda('arn:aws:lambda:eu-central:111122223333:function:f')],
    ['the partition of China with another region', lambda(`arn:aws-cn:lambda:${HERE}:function:f`)],
    ['another partition with a region in China', lambda('arn:aws:lambda:cn-north-1:111122223333:function:f')],
    ['another partition with a region of GovCloud', sns('arn:aws:sns:us-gov-west-1:111122223333:t')],
    ['a bus that is a path upwards', bus('..')],
    ['a bus with a path upwards', bus('a/../b')],
    ['a bus with a path to itself', bus('a/./b')],
    ['a bus with an empty part', bus('a//b')],
    ['a bus that ends in a slash', bus(`arn:aws:events:${HERE}:event-bus/a/`)],
    ['a bus that begins with a slash', bus('/a')],
  ])('%s is rejected', (_, target) => {
    expect(check(target, any)).toMatchObject({ ok: false });
  });
});

test('a resource of the stack itself is rejected, whatever is allowed', () => {
  const all = { ...AWS_POLICY, allowedArns: { '*': [`arn:aws:lambda:${HERE}:function:*`] } };
  expect(check(lambda(`arn:aws:lambda:${HERE}:function:anything`), all)).toMatchObject({ ok: true });
  const own = lambda(`arn:aws:lambda:${HERE}:function:Quarterjack-dev-StagesExecutorFunction-1A2B`);
  expect(check(own, all)).toMatchObject({ ok: false, message: expect.stringContaining('itself') });
});

test.each(['live', '1', '$LATEST'])('nor is its version or alias %s a target', (qualifier) => {
  const name = 'Quarterjack-dev-StagesExecutorFunction-1A2B';
  const all = { ...AWS_POLICY, allowedArns: { '*': [`arn:aws:lambda:${HERE}:function:*`] } };
  const own = lambda(`arn:aws:lambda:${HERE}:function:${name}:${qualifier}`);
  expect(check(own, all)).toMatchObject({ ok: false, message: expect.stringContaining('itself') });
});

test.each<[entry: string, allowed: string[]]>([
  ['f', ['f']],
  ['f:live', ['f:live']],
  ['f:$LATEST', ['f:$LATEST']],
  ['f:*', ['f:live', 'f:7', 'f:$LATEST']],
  ['f*', ['f', 'f:live', 'f:7', 'f:$LATEST', 'fg', 'fg:live']],
  ['*:live', ['f:live', 'fg:live']],
])('the entry %s allows %j alone', (entry, allowed) => {
  const arn = (name: string) => `arn:aws:lambda:${HERE}:function:${name}`;
  const policy = { ...AWS_POLICY, allowedArns: { '*': [arn(entry)] } };
  const names = ['f', 'f:live', 'f:7', 'f:$LATEST', 'fg', 'fg:live'];
  expect(names.filter((name) => check(lambda(arn(name)), policy).ok)).toEqual(allowed);
});

test('what is rejected names the entry that would allow it', () => {
  const allowedArns = { '*': [`arn:aws:lambda:${HERE}:function:f`] };
  expect(check(lambda(`arn:aws:lambda:${HERE}:function:f:live`), { ...AWS_POLICY, allowedArns })).toEqual({
    ok: false,
    message:
      `arn:aws:lambda:${HERE}:function:f:live is not among the ARNs that this deployment allows as targets: ` +
      'its operator can add that entry to allowedTargetArns',
  });
  const queue = check(sqs(`${QUEUES}/other`));
  expect(queue).toMatchObject({ ok: false, message: expect.stringContaining(`arn:aws:sqs:${HERE}:other `) });
});

test('a queue on this machine is allowed if the deployment runs on it', () => {
  const local = { ...AWS_POLICY, loopback: true };
  const target = sqs('http://127.0.0.1:4566/111122223333/target-q');
  expect(check(target, local)).toMatchObject({
    ok: true,
    resource: { arn: `arn:aws:sqs:${HERE}:target-q`, region: 'eu-central-1' },
  });
});

test('without allowed ARNs, every target is rejected', () => {
  const none = { ...AWS_POLICY, allowedArns: {} };
  expect(check(bus('target-b'), none)).toMatchObject({ ok: false });
});

describe('by project', () => {
  const arn = (name: string) => `arn:aws:lambda:${HERE}:function:${name}`;
  const policy = {
    ...AWS_POLICY,
    allowedArns: { billing: [arn('billing-*')], 'a/b': [arn('ab')], '*': [arn('shared')] },
  };

  test.each<[project: string, allowed: string[]]>([
    ['billing', ['billing-x', 'shared']],
    ['a/b', ['ab', 'shared']],
    ['other', ['shared']],
    ['*', ['shared']],
    ['constructor', ['shared']],
    ['Billing', ['shared']],
  ])('project %j may use %j alone', (project, allowed) => {
    const names = ['billing-x', 'ab', 'shared', 'else'];
    expect(names.filter((name) => check(lambda(arn(name)), policy, project).ok)).toEqual(allowed);
  });
});

describe('a durable function', () => {
  const durable = (functionArn: string): AwsTarget => ({ type: 'lambda', functionArn, durable: true });
  const LIVE = `arn:aws:lambda:${HERE}:function:target-f:live`;
  const OTHER = 'arn:aws:lambda:eu-central-1:999999999999:function:target-f:live';
  const blind: AwsPolicy = { ...AWS_POLICY, errands: ['stepfunctions'] };
  const elsewhere = { ...AWS_POLICY, allowedArns: { '*': [OTHER] } };
  const role = { roleArn: 'arn:aws:iam::999999999999:role/targets', externalId: 'x' };

  test.each([
    ['by an alias', LIVE, AWS_POLICY],
    ['of another account, under a role of that', OTHER, { ...elsewhere, roles: { billing: role } }],
  ])('may be called %s', (_, arn, policy) => {
    expect(check(durable(arn), policy)).toMatchObject({ ok: true });
  });

  test.each([
    ['without a version or alias', LIVE.replace(/:live$/, ''), AWS_POLICY, 'names no version or alias'],
    ['where none is watched', LIVE, blind, 'can set errands.durable'],
    ['of another account, whose executions no one here sees', OTHER, elsewhere, 'is in another account'],
  ])('may not be called %s', (_, arn, policy, message) => {
    expect(check(durable(arn), policy)).toEqual({
      ok: false,
      message: expect.stringContaining(message) as string,
    });
  });
});
