import fc from 'fast-check';

import { targetTypeOf } from '../../lambdas/core/delivery/targets/registry';
import type { AwsTarget } from '../../lambdas/core/domain/target';
import { TargetArns } from '../../lib/config/targets';
import { AddedTargets } from '../../lib/constructs/added-targets';
import { allowedOf, awsTargets } from '../../lib/constructs/aws-targets';
import { evaluate } from '../../local/iam/evaluate';
import { PolicyDocument, rolePolicy } from '../../local/iam/policy';
import { AWS_POLICY } from '../support/aws-policy';

/*
 * An entry of allowedTargetArns has two readers: the check of a target, and IAM, in the policy of the
 * executor. They have to agree, or a job is accepted whose deliveries are all denied.
 */

const HERE = 'eu-central-1:111122223333';
const lambda = (name: string): AwsTarget => ({
  type: 'lambda',
  functionArn: `arn:aws:lambda:${HERE}:function:${name}`,
});

const configOf = (entry: string) => ({
  allowedTargetArns: [entry],
  errands: { durable: false, allowOverrides: false, ecs: { clusters: {}, passRoles: [] } },
});

const acceptedByApi = (entry: string, target: AwsTarget): boolean => {
  const allowedArns = allowedOf(configOf(entry));
  const awsTargetsAllowed = { ...AWS_POLICY, allowedArns };
  return targetTypeOf(target).check(target as never, { awsTargets: awsTargetsAllowed, project: 'p' }).ok;
};

const statementsFor = (entry: string) => {
  const { statements } = awsTargets(configOf(entry), new AddedTargets());
  const document = { Version: '2012-10-17', Statement: statements!.map((one) => one.toStatementJson()) };
  return rolePolicy(PolicyDocument.parse(document), 'executor');
};
const allowedByIam = (entry: string, action: string, resource: string): boolean =>
  evaluate(statementsFor(entry), { roleArn: 'executor' }, { action, resource, context: {} }) === 'allowed';

const part = (characters: string, { min, max }: { min: number; max: number }) =>
  fc.string({ unit: fc.constantFrom(...Array.from(characters)), minLength: min, maxLength: max });
const functionName = (characters: string) =>
  fc
    .tuple(part(`${characters}$`, { min: 1, max: 4 }), fc.option(part(`${characters}$`, { min: 0, max: 4 })))
    .map(([name, qualifier]) => (qualifier === null ? name : `${name}:${qualifier}`));

/** An entry, and a name: one that is made of the entry, or another. */
const pairs = fc
  .record({
    entry: functionName('ab-*'),
    other: functionName('ab-'),
    fills: fc.option(
      fc.array(fc.constantFrom('', 'a', 'b-', ':', ':a', 'a:b', '$'), { minLength: 8, maxLength: 8 }),
    ),
  })
  .map(({ entry, other, fills }) => [entry, fills ? filled(entry, fills) : other] as const);

const filled = (entry: string, fills: readonly string[]): string =>
  entry.split('*').reduce((name, part, index) => name + fills[index - 1] + part);

const ECS = `arn:aws:ecs:${HERE}`;

test.each([
  ['report', 'report', true],
  ['report', 'report:7', false],
  ['report:7', 'report:7', true],
  ['report:*', 'report:7', true],
  ['report:*', 'report', false],
  ['rep*', 'report:7', true],
])('an entry for the task definition %s, and %s', (entry, name, isAllowed) => {
  const [taskDefinitionArn, clusterArn] = [`${ECS}:task-definition/${name}`, `${ECS}:cluster/jobs`];
  const config = {
    ...configOf(''),
    allowedTargetArns: [`${ECS}:task-definition/${entry}`, clusterArn],
  };
  expect(TargetArns.safeParse(config.allowedTargetArns).success).toBe(true);
  const policy = { ...AWS_POLICY, allowedArns: allowedOf(config) };
  const target = { type: 'ecs' as const, taskDefinitionArn, clusterArn };
  expect(targetTypeOf(target).check(target, { awsTargets: policy, project: 'p' }).ok).toBe(isAllowed);
  const { statements } = awsTargets(config, new AddedTargets());
  const document = { Version: '2012-10-17', Statement: statements.map((one) => one.toStatementJson()) };
  const role = rolePolicy(PolicyDocument.parse(document), 'executor');
  const runIn = (cluster: string) =>
    evaluate(
      role,
      { roleArn: 'executor' },
      { action: 'ecs:RunTask', resource: taskDefinitionArn, context: { 'ecs:cluster': cluster } },
    );
  expect(runIn(clusterArn) === 'allowed').toBe(isAllowed);
  expect(runIn(`${ECS}:cluster/other`)).not.toBe('allowed');
});

test('the API and IAM give the same answer for each entry and function', () => {
  const seen = { allowed: 0, denied: 0, qualified: 0 };
  fc.assert(
    fc.property(pairs, ([entryName, name]) => {
      const entry = `arn:aws:lambda:${HERE}:function:${entryName}`;
      const target = lambda(name) as Extract<AwsTarget, { type: 'lambda' }>;
      fc.pre(TargetArns.safeParse([entry]).success);
      fc.pre(acceptedByApi(`arn:aws:lambda:${HERE}:function:*`, target));
      const allowed = acceptedByApi(entry, target);
      seen[allowed ? 'allowed' : 'denied']++;
      if (allowed && name.includes(':')) seen.qualified++;
      expect(allowed).toBe(allowedByIam(entry, 'lambda:InvokeFunction', target.functionArn));
    }),
    { numRuns: 2_000 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(50);
});

test.each<[entry: string, target: AwsTarget, action: string, resource: string]>([
  [
    `arn:aws:sqs:${HERE}:a*`,
    { type: 'sqs', queueUrl: 'https://sqs.eu-central-1.amazonaws.com/111122223333/ab' },
    'sqs:SendMessage',
    `arn:aws:sqs:${HERE}:ab`,
  ],
  [
    `arn:aws:sns:${HERE}:a*`,
    { type: 'sns', topicArn: `arn:aws:sns:${HERE}:ab` },
    'sns:Publish',
    `arn:aws:sns:${HERE}:ab`,
  ],
  [
    `arn:aws:states:${HERE}:stateMachine:*b`,
    { type: 'stepfunctions', stateMachineArn: `arn:aws:states:${HERE}:stateMachine:ab` },
    'states:StartExecution',
    `arn:aws:states:${HERE}:stateMachine:ab`,
  ],
  [
    `arn:aws:events:${HERE}:event-bus/*b`,
    { type: 'eventbridge', eventBusName: 'ab', source: 's', detailType: 'd' },
    'events:PutEvents',
    `arn:aws:events:${HERE}:event-bus/ab`,
  ],
])('and for %s', (entry, target, action, resource) => {
  expect([acceptedByApi(entry, target), allowedByIam(entry, action, resource)]).toEqual([true, true]);
  const other = entry.replace('*', 'x');
  expect([acceptedByApi(other, target), allowedByIam(other, action, resource)]).toEqual([false, false]);
});
