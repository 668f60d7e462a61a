import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { App, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';

import { Quarterjack } from '../../lib';
import { type Measured, exceededLimits } from '../../lib/limits/limits';
import { longestOf } from '../../lib/limits/longest';
import { resourcesOfSize, SIZES } from './maximal';
import { createStack, ofType, QUICK, resourcesOf, type Resource, stubBundles } from './synth';

describe.each(SIZES)('the %s deployment', (_name, config) => {
  const resources = resourcesOfSize(config);
  const within = { stackName: `Quarterjack-${config.stage}`, resources };

  test('exceeds no limit of AWS with the longest names', () => {
    expect(exceededLimits({ ...within, own: new Set(resources.keys()) })).toEqual([]);
  });

  test('has environments of at most 4 KB, as Lambda measures them', () => {
    for (const [id, { Properties }] of ofType(resources, 'AWS::Lambda::Function')) {
      const text = JSON.stringify(longestOf(Properties.Environment.Variables, within));
      expect([id, text.length]).toEqual([id, Math.min(text.length, 4_096)]);
    }
  });

  test('has no policy but those inside its roles, whose moves would take permissions away for seconds', () => {
    expect(ofType(resources, 'AWS::IAM::ManagedPolicy')).toEqual([]);
    const sizes = ofType(resources, 'AWS::IAM::Policy').map(
      ([, { Properties }]) => JSON.stringify(longestOf(Properties.PolicyDocument, within)).length,
    );
    expect(Math.max(...sizes)).toBeLessThanOrEqual(10_240);
  });
});

describe('what exceeds a limit names the setting', () => {
  const faultsOf = (resources: Record<string, Resource>, own = Object.keys(resources)): string[] => {
    const stack: Measured = {
      stackName: 'Shop',
      resources: new Map(Object.entries(resources)),
      own: new Set(own),
    };
    return exceededLimits(stack);
  };
  const functionWith = (Variables: Record<string, unknown>): Resource => ({
    Type: 'AWS::Lambda::Function',
    Properties: { Environment: { Variables } },
  });

  test('an environment: the JSON counts, with its escapes, and the longest names of what it refers to', () => {
    const table: Resource = { Type: 'AWS::DynamoDB::GlobalTable', Properties: {} };
    const variables = (length: number) => ({ A: { Ref: 'Table' }, JWKS_URI: '"'.repeat(length) });
    // {"A":"<Shop-Table-13>","JWKS_URI":"\"…"}
    const others = JSON.stringify({ A: 'x'.repeat('Shop-Table-'.length + 12 + 1), JWKS_URI: '' }).length;
    const most = Math.floor((4_096 - others) / 2);
    expect(faultsOf({ Fn: functionWith(variables(most)), Table: table })).toEqual([]);
    expect(faultsOf({ Fn: functionWith(variables(most + 1)), Table: table })).toEqual([
      expect.stringMatching(
        /^Fn: bytes of its environment: 4,09\d, at most 4,096\. JWKS_URI .* Change jwksUri$/,
      ),
    ]);
  });

  test('the policies of a role, and those apart from it', () => {
    const document = (count: number) => ({
      Statement: [
        { Resource: Array.from({ length: count }, () => `arn:aws:sqs:eu-central-1:1:${'q'.repeat(60)}`) },
      ],
    });
    const Roles = [{ Ref: 'Role' }];
    const policy = (Type: string, count: number): Resource => ({
      Type,
      Properties: { Roles, PolicyDocument: document(count) },
    });
    const role: Resource = { Type: 'AWS::IAM::Role', Properties: {} };
    expect(faultsOf({ Role: role, Inline: policy('AWS::IAM::Policy', 110) })).toEqual([]);
    expect(faultsOf({ Role: role, Inline: policy('AWS::IAM::Policy', 120) })).toEqual([
      expect.stringMatching(
        /^Role: characters of its inline policies: 1\d,\d+, at most 10,240\. .*allowedTargetArns/,
      ),
    ]);
    expect(faultsOf({ Role: role, Apart: policy('AWS::IAM::ManagedPolicy', 80) })).toEqual([
      expect.stringMatching(
        /^Apart: characters of this managed policy: \d,\d+, at most 6,144\. .*allowedTargetArns/,
      ),
    ]);
  });

  test('resources of the stack, alarms, and callback URLs', () => {
    const topics = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `T${index}`,
          { Type: 'AWS::SNS::Topic', Properties: {} },
        ]),
      );
    expect(faultsOf(topics(500), ['T1'])).toEqual([]);
    expect(faultsOf(topics(501), ['T1'])).toEqual([
      expect.stringMatching(/resources: 501, at most 500, and 1 of them .* Change pools, machineClients/),
    ]);
    const Metrics = Array.from({ length: 11 }, () => ({ MetricStat: {} }));
    expect(
      faultsOf({
        Alarm: {
          Type: 'AWS::CloudWatch::Alarm',
          Properties: { Metrics: [{ Expression: 'SUM' }, ...Metrics] },
        },
      }),
    ).toEqual([expect.stringMatching(/^Alarm: metrics of this alarm: 11, at most 10\. Change alarms/)]);
    expect(
      faultsOf({
        Client: {
          Type: 'AWS::Cognito::UserPoolClient',
          Properties: {
            CallbackURLs: Array(101).fill('https://a.test'),
          },
        },
      }),
    ).toEqual([expect.stringMatching(/^Client: callback URLs: 101, at most 100\. Change callbackUrls/)]);
  });
});

describe('in a program of others', () => {
  const withTargets = (count: number): App => {
    const app = new App(QUICK);
    const stack = new Stack(app, 'Shop');
    const jobs = new Quarterjack(stack, 'Jobs', { bundlesDir: stubBundles() });
    for (let index = 0; index < count; index++)
      jobs.addLambdaTarget(
        new LambdaFunction(stack, `InvoiceReminderSender${index}`, {
          runtime: Runtime.NODEJS_24_X,
          handler: 'index.handler',
          code: Code.fromInline('exports.handler = async () => {};'),
        }),
      );
    return app;
  };

  test('targets that are added later count when it is synthesized', () => {
    expect(() => withTargets(13).synth()).not.toThrow();
    expect(() => withTargets(30).synth()).toThrow(
      /\[Shop\/Jobs\] JobsStagesApiFunction.*ADDED_TARGET_ARNS has .* Change the calls of add…Target/,
    );
  });
});

test('docs/cdk.md states how many resources a deployment is, and a pool more', () => {
  const page = readFileSync(join(__dirname, '../../docs/cdk.md'), 'utf8').replaceAll(/\s+/g, ' ');
  const { config } = createStack();
  const alone = resourcesOf();
  const two = resourcesOf({ pools: { ...config.pools, gpu: {} } });
  const [, size, ofPool] = /is about (\d+) resources, .* `default` is (\d+) more/.exec(page)!;
  const actual = [alone.size, two.size - alone.size];
  for (const [index, stated] of [size, ofPool].entries())
    expect(Math.abs(Number(stated) / actual[index]! - 1)).toBeLessThan(0.05);
  expect(resourcesOf({ stage: 'prod' }).size).toBeLessThanOrEqual(145);
});
