import { callLimitMs, isLongCall } from '../../../../lambdas/core/domain/long-call';
import type { Target } from '../../../../lambdas/core/domain/target';
import { aTarget } from '../../../support/factories';

const LAMBDA: Target = { type: 'lambda', functionArn: 'arn:aws:lambda:eu-central-1:1:function:load' };
const SQS: Target = { type: 'sqs', queueUrl: 'https://sqs.eu-central-1.amazonaws.com/1/orders' };
const ACTION: Target = { type: 'aws', action: 'lambda:Invoke', input: { FunctionName: 'load' } };
const WORKER: Target = { type: 'worker', queue: 'warehouse', heartbeatTimeout: '60s' };

test.each<[string, Target | undefined, string, boolean]>([
  ['the default of HTTP', aTarget(), '5m', false],
  ['a second more', aTarget({ timeout: '31s' }), '5m', true],
  ['a longer target time-out, bounded by the job', aTarget({ timeout: '14m' }), '30s', false],
  ['a target that is to respond with 202 at once', aTarget({ mode: 'async' }), '7d', false],
  ['a target that may respond with 202 late', aTarget({ mode: 'async', timeout: '2m' }), '7d', true],
  ['a function that is waited for', LAMBDA, '5m', true],
  ['a function with a short time-out', LAMBDA, '30s', false],
  ['a function that reports later', { ...LAMBDA, mode: 'async' }, '7d', false],
  ['a message to a queue', SQS, '5m', false],
  ['an action of AWS', ACTION, '14m', false],
  ['a worker', WORKER, '3h', false],
  ['a workflow, which has no target', undefined, '24h', false],
])('%s', (_, target, timeout, expected) => {
  expect(isLongCall({ ...(target && { target }), timeout })).toBe(expected);
});

test('of several targets, one is enough', () => {
  const targets = [aTarget(), aTarget({ timeout: '1m' })];
  expect(isLongCall({ target: targets[0]!, targets, timeout: '5m' })).toBe(true);
});

test('an action of AWS holds its executor for 30 s at most, whatever it calls', () => {
  expect([callLimitMs(ACTION, '14m'), callLimitMs(ACTION, '10s')]).toEqual([30_000, 10_000]);
});
