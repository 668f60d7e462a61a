import { App, Stack } from 'aws-cdk-lib';
import {
  Alias,
  Code,
  Function as LambdaFunction,
  type IFunction,
  Runtime,
  Version,
} from 'aws-cdk-lib/aws-lambda';

import { entriesOf } from '../../lambdas/core/contracts/target-resources';
import { Quarterjack, type QuarterjackProps } from '../../lib';
import { listOf, statementsOf } from './statements';
import { ofType, QUICK, resourcesIn, stubBundles, targetOf } from './synth';

/*
 * What the construct lets the executor and the API call: a function, a version or an alias. That, and nothing
 * wider.
 */

const ARN = 'arn:aws:lambda:eu-central-1:111122223333:function:report';
const functionIn = (stack: Stack): LambdaFunction =>
  new LambdaFunction(stack, 'It', {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = async () => {};'),
  });

/** The ARNs that a stack with this one target allows, with the logical ids of what they refer to. */
function allowedWith(made: (stack: Stack) => IFunction, props: QuarterjackProps = {}) {
  const app = new App(QUICK);
  const stack = new Stack(app, 'Shop');
  const jobs = new Quarterjack(stack, 'Jobs', { bundlesDir: stubBundles(), ...props });
  const target = jobs.addLambdaTarget(made(stack), { project: 'billing' });
  const resources = resourcesIn({ app, stack });
  /** A function of the stack is `<It>`, whatever its logical id ends with. */
  const text = (value: unknown): string => {
    if (typeof value === 'string') return value;
    const { 'Fn::Join': join } = value as { 'Fn::Join'?: [string, unknown[]] };
    return join ? join[1].map(text).join('') : `<${targetOf(value).replace(/[0-9A-F]{8}.*$/, '')}>`;
  };
  const functions = ofType(resources, 'AWS::Lambda::Function');
  const executor = functions.find(([id]) => id.startsWith('JobsStagesExecutorFunction'))!;
  const invoking = statementsOf(resources, targetOf(executor[1].Properties.Role)).filter(({ Action }) =>
    listOf(Action).some((one) => String(one).startsWith('lambda:')),
  );
  const added = functions.flatMap(([, { Properties }]) => {
    const { ADDED_TARGET_ARNS } = Properties.Environment?.Variables ?? {};
    return ADDED_TARGET_ARNS === undefined ? [] : [JSON.parse(text(ADDED_TARGET_ARNS)) as object];
  });
  return {
    target: text(stack.resolve(target.functionArn)),
    actions: invoking.flatMap(({ Action }) => listOf(Action)),
    iam: invoking.flatMap(({ Resource }) => listOf(Resource)).map(text),
    api: added.map((one) => Object.entries(one as Record<string, string[]>)),
  };
}

test.each<[what: string, made: (stack: Stack) => IFunction, target: string, entries: string[]]>([
  ['a function', functionIn, '<It>', ['<It>', '<It>:*']],
  ['an alias', (stack) => functionIn(stack).addAlias('live'), '<ItAliaslive>', ['<ItAliaslive>']],
  ['a version', (stack) => functionIn(stack).currentVersion, '<ItCurrentVersion>', ['<ItCurrentVersion>']],
  ['$LATEST', (stack) => functionIn(stack).latestVersion, '<It>:$LATEST', ['<It>:$LATEST']],
  [
    'a function by its ARN',
    (stack) => LambdaFunction.fromFunctionArn(stack, 'It', ARN),
    ARN,
    [ARN, `${ARN}:*`],
  ],
  [
    'an alias by its ARN',
    (stack) => LambdaFunction.fromFunctionArn(stack, 'It', `${ARN}:live`),
    `${ARN}:live`,
    [`${ARN}:live`],
  ],
  [
    'a version by its ARN',
    (stack) => Version.fromVersionArn(stack, 'It', `${ARN}:7`),
    `${ARN}:7`,
    [`${ARN}:7`],
  ],
  [
    'an alias by its attributes',
    (stack) =>
      Alias.fromAliasAttributes(stack, 'It', {
        aliasName: 'live',
        aliasVersion: Version.fromVersionArn(stack, 'V', `${ARN}:7`),
      }),
    `${ARN}:live`,
    [`${ARN}:live`],
  ],
])('%s: the executor and the API allow it and nothing wider', (_, made, target, entries) => {
  const allowed = allowedWith(made);
  expect(allowed.target).toBe(target);
  expect(allowed.iam).toEqual(entries);
  expect(allowed.actions).toEqual(['lambda:InvokeFunction']);
  expect(allowed.api.length).toBeGreaterThan(1);
  for (const one of allowed.api) {
    expect(one).toHaveLength(1);
    const [project, texts] = one[0]!;
    expect([project, texts.flatMap(entriesOf)]).toEqual(['billing', entries]);
  }
});

test('a project with a role: the API allows it, and the executor’s own role gets nothing', () => {
  const assumeRole = { billing: { roleArn: 'arn:aws:iam::111122223333:role/billing' } };
  const { iam, api } = allowedWith((stack) => functionIn(stack).addAlias('live'), { assumeRole });
  expect(iam).toEqual([]);
  expect(api[0]).toEqual([['billing', ['<ItAliaslive>']]]);
});
