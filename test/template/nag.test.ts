import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Validations } from 'aws-cdk-lib';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks } from 'cdk-nag';

import { makeStack } from './synth';

interface Report {
  pluginReports: { pluginName: string; violations: { ruleName: string; violatingConstructs: unknown[] }[] }[];
}

/** Schema violations and findings of the AWS Solutions pack that nobody has given a reason for. */
function findingsIn(
  context: Record<string, unknown>,
  alter: (made: ReturnType<typeof makeStack>) => void = () => {},
) {
  const made = makeStack(
    { '@aws-cdk/core:failSynthOnValidationErrors': false, ...context },
    { builtinCloudFormationValidation: true },
  );
  alter(made);
  Validations.of(made.app).addPlugins(new AwsSolutionsChecks(made.app));
  const report = readFileSync(join(made.app.synth().directory, 'validation-report.json'), 'utf8');
  return (JSON.parse(report) as Report).pluginReports.flatMap(({ violations }) => violations);
}

test.each(['prod', 'local'])(
  'the %s stage passes the AWS Solutions checks and the published schemas',
  (stage) => {
    expect(findingsIn({ stage })).toEqual([]);
  },
);

test('names of targets that end in any text are the operator’s own choice', () => {
  const allowedTargetArns = ['arn:aws:sqs:eu-central-1:111122223333:billing-*'];
  expect(findingsIn({ stage: 'prod', allowedTargetArns })).toEqual([]);
});

test('what neither would let through is found', () => {
  const findings = findingsIn({ stage: 'local' }, ({ stack }) => {
    new CfnQueue(stack, 'Plain', { visibilityTimeout: 999_999 });
  });
  const rules = findings.map(({ ruleName }) => ruleName);
  expect(rules).toEqual(expect.arrayContaining(['AwsSolutions-SQS4', 'F3034']));
});
