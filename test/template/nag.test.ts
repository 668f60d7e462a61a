import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Validations } from 'aws-cdk-lib';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks } from 'cdk-nag';

import { SIZES } from './maximal';
import { createStack, createStackOf } from './synth';

interface Report {
  pluginReports: { pluginName: string; violations: { ruleName: string; violatingConstructs: unknown[] }[] }[];
}

/** Schema violations, and findings of the AWS Solutions pack that are not acknowledged with a reason. */
function findingsIn(
  created: ReturnType<typeof createStack>,
  alter: (created: ReturnType<typeof createStack>) => void = () => {},
) {
  alter(created);
  Validations.of(created.app).addPlugins(new AwsSolutionsChecks(created.app));
  const report = readFileSync(join(created.app.synth().directory, 'validation-report.json'), 'utf8');
  return (JSON.parse(report) as Report).pluginReports.flatMap(({ violations }) => violations);
}

const CONTEXT = { '@aws-cdk/core:failSynthOnValidationErrors': false };
const CHECKED = { builtinCloudFormationValidation: true };
const stackOf = (context: Record<string, unknown>) => createStack({ ...CONTEXT, ...context }, CHECKED);

test.each(['prod', 'local'])(
  'the %s stage passes the AWS Solutions checks and the CloudFormation schemas',
  (stage) => {
    expect(findingsIn(stackOf({ stage }))).toEqual([]);
  },
);

test.each(SIZES)('the %s deployment passes the same checks', (_name, config) => {
  expect(findingsIn(createStackOf(config, CHECKED, CONTEXT))).toEqual([]);
});

test('a target ARN with a wildcard in its name is no finding, since the operator configured it', () => {
  const allowedTargetArns = ['arn:aws:sqs:eu-central-1:111122223333:billing-*'];
  expect(findingsIn(stackOf({ stage: 'prod', allowedTargetArns }))).toEqual([]);
});

test('both checks do report violations', () => {
  const findings = findingsIn(stackOf({ stage: 'local' }), ({ stack }) => {
    new CfnQueue(stack, 'Plain', { visibilityTimeout: 999_999 });
  });
  const rules = findings.map(({ ruleName }) => ruleName);
  expect(rules).toEqual(expect.arrayContaining(['AwsSolutions-SQS4', 'F3034']));
});
