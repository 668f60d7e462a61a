import { App, CfnParameter, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code, Function as LambdaFunction, type FunctionAttributes, Runtime } from 'aws-cdk-lib/aws-lambda';

import { Quarterjack, type QuarterjackAttributes, ScheduledJob, type ScheduledJobProps } from '../../lib';
import { listOf, statementsOf } from './statements';
import { ofType, QUICK, resourcesIn, stubBundles, targetOf } from './synth';

const ARN = 'arn:aws:lambda:eu-central-1:111122223333:function';
const ROLE = 'arn:aws:iam::111122223333:role';
const ATTRIBUTES: QuarterjackAttributes = {
  url: 'https://jobs.example.com',
  project: 'shop',
  executorRoleArn: `${ROLE}/executor`,
  providerArn: `${ARN}:provider`,
  providerRoleArn: `${ROLE}/provider`,
  targetNamePrefix: 'shop-',
};
const schedule: ScheduledJobProps['job']['schedule'] = { type: 'cron', expression: '0 2 * * *' };
const functionIn = (scope: Stack, id: string, functionName?: string): LambdaFunction =>
  new LambdaFunction(scope, id, {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = async () => {};'),
    ...(functionName !== undefined && { functionName }),
  });

/** The stack of a team: a function that jobs call, and that makes jobs itself. */
function teamIn(app: App, attributes: QuarterjackAttributes): Stack {
  const team = new Stack(app, 'Team');
  const jobs = Quarterjack.fromAttributes(team, 'Jobs', attributes);
  const report = functionIn(team, 'Report', 'shop-report');
  jobs.grantManageJobs(report, { role: 'operator' }).assertSuccess();
  const target = jobs.addLambdaTarget(report);
  new ScheduledJob(team, 'Nightly', { quarterjack: jobs, job: { schedule, target, pool: 'gpu' } });
  return team;
}

describe('a stack that knows attributes of a deployment alone', () => {
  const app = new App(QUICK);
  const team = teamIn(app, ATTRIBUTES);
  const { Resources } = Template.fromStack(team).toJSON() as {
    Resources: Parameters<typeof ofType>[0] extends Map<string, infer R> ? Record<string, R> : never;
  };
  const resources = new Map(Object.entries(Resources));
  const only = (type: string) => {
    const [first, ...more] = ofType(resources, type);
    expect(more).toEqual([]);
    return first!;
  };

  test('its jobs and keys are made by the provider of the deployment', () => {
    for (const type of ['Custom::QuarterjackJob', 'Custom::QuarterjackKey'])
      expect(only(type)[1].Properties).toMatchObject({ ServiceToken: `${ARN}:provider`, Project: 'shop' });
    expect(only('AWS::Lambda::Function')[1].Properties.Environment.Variables).toMatchObject({
      QUARTERJACK_URL: 'https://jobs.example.com',
      QUARTERJACK_KEY_SECRET: { Ref: only('AWS::SecretsManager::Secret')[0] },
    });
  });

  test('the function lets the executor invoke it, and no one else', () => {
    const [fn] = only('AWS::Lambda::Function');
    expect(only('AWS::Lambda::Permission')[1].Properties).toEqual({
      Action: 'lambda:InvokeFunction',
      FunctionName: { 'Fn::GetAtt': [fn, 'Arn'] },
      Principal: `${ROLE}/executor`,
    });
  });

  test('the secret lets the provider write it and the function read it, before the key is made', () => {
    const [secret] = only('AWS::SecretsManager::Secret');
    const [policy, { Properties }] = only('AWS::SecretsManager::ResourcePolicy');
    expect(Properties.ResourcePolicy.Statement).toEqual([
      {
        Action: 'secretsmanager:PutSecretValue',
        Effect: 'Allow',
        Principal: { AWS: `${ROLE}/provider` },
        Resource: { Ref: secret },
      },
    ]);
    expect(only('Custom::QuarterjackKey')[1]).toMatchObject({
      DependsOn: expect.arrayContaining([policy]) as unknown,
    });
    const role = targetOf(only('AWS::Lambda::Function')[1].Properties.Role);
    expect(statementsOf(resources, role)).toEqual([
      { Action: 'secretsmanager:GetSecretValue', Effect: 'Allow', Resource: { Ref: secret } },
    ]);
  });
});

test('an alias of a function lets the executor in by itself, and the name of its function counts', () => {
  const stack = new Stack(new App(QUICK), 'Team');
  const jobs = Quarterjack.fromAttributes(stack, 'Jobs', ATTRIBUTES);
  const target = jobs.addLambdaTarget(functionIn(stack, 'Report', 'shop-report').addAlias('live'));
  const alias = stack.resolve(target.functionArn) as { Ref: string };
  expect(alias.Ref).toMatch(/^ReportAliaslive/);
  const permissions = Template.fromStack(stack).findResources('AWS::Lambda::Permission');
  expect(Object.values(permissions).map(({ Properties }) => Properties as object)).toEqual([
    { Action: 'lambda:InvokeFunction', FunctionName: alias, Principal: `${ROLE}/executor` },
  ]);
  const other = functionIn(stack, 'Other', 'report').addAlias('shop-live');
  expect(() => jobs.addLambdaTarget(other)).toThrow(
    'functionName is "report"; expected one that begins with',
  );
});

test('an alias that is imported by its ARN lets the executor in by itself', () => {
  const env = { account: '111122223333', region: 'eu-central-1' };
  const stack = new Stack(new App(QUICK), 'Team', { env });
  const jobs = Quarterjack.fromAttributes(stack, 'Jobs', ATTRIBUTES);
  const alias = `${ARN}:shop-report:live`;
  expect(jobs.addLambdaTarget(LambdaFunction.fromFunctionArn(stack, 'Report', alias))).toEqual({
    type: 'lambda',
    functionArn: alias,
  });
  Template.fromStack(stack).hasResourceProperties('AWS::Lambda::Permission', {
    FunctionName: alias,
    Principal: `${ROLE}/executor`,
  });
});

test('two stacks of one app: the deployment refers to nothing of the team, and allows its names', () => {
  const app = new App(QUICK);
  const platform = new Stack(app, 'Platform');
  const jobs = new Quarterjack(platform, 'Jobs', {
    bundlesDir: stubBundles(),
    allowedTargetArns: { shop: [`${ARN}:shop-*`] },
  });
  const team = teamIn(app, {
    url: jobs.url,
    project: 'shop',
    executorRoleArn: jobs.executorRole.roleArn,
    providerArn: jobs.providerArn,
    providerRoleArn: jobs.providerRole.roleArn,
    targetNamePrefix: 'shop-',
  });
  const resources = resourcesIn({ app, stack: platform });
  expect(JSON.stringify([...resources.values()])).not.toContain('Fn::ImportValue');
  expect([platform.dependencies, team.dependencies]).toEqual([[], [platform]]);
  const executor = targetOf(platform.resolve(jobs.executorRole.roleArn));
  const invoking = statementsOf(resources, executor).filter(({ Action }) =>
    listOf(Action).includes('lambda:InvokeFunction'),
  );
  expect(invoking.flatMap(({ Resource }) => listOf(Resource))).toEqual([`${ARN}:shop-*`]);
});

describe('what the deployment would not let in fails the synthesis', () => {
  const stack = new Stack(new App(QUICK), 'Team');
  const jobs = Quarterjack.fromAttributes(stack, 'Jobs', ATTRIBUTES);

  test.each([
    ['Made', undefined, 'Team/Made: functionName is generated; expected one that begins with "shop-"'],
    ['Other', 'report', 'Team/Other: functionName is "report"; expected one that begins with "shop-"'],
  ])('a function %s', (id, name, message) => {
    expect(() => jobs.addLambdaTarget(functionIn(stack, id, name))).toThrow(message);
  });

  test('any function, without a prefix', () => {
    const { targetNamePrefix: _, ...others } = ATTRIBUTES;
    const without = Quarterjack.fromAttributes(stack, 'Without', others);
    expect(() => without.addLambdaTarget(functionIn(stack, 'Third', 'shop-a'))).toThrow(
      'Team/Without has no targetNamePrefix',
    );
  });

  test('a job that no deployment accepts', () => {
    const job = { schedule: { type: 'cron', expression: '61 2 * * *' }, target: { type: 'http', url: '/' } };
    const make = () =>
      new ScheduledJob(stack, 'Bad', { quarterjack: jobs, job: job as ScheduledJobProps['job'] });
    expect(make).toThrow(/schedule\.expression = "61 2 \* \* \*"/);
  });

  test('a function that is imported by a reference, with the reason', () => {
    const arn = new CfnParameter(stack, 'Arn').valueAsString;
    const fn = LambdaFunction.fromFunctionArn(stack, 'ByReference', arn);
    expect(() => jobs.addLambdaTarget(fn)).toThrow(
      /functionName is a reference, which is known at deployment/,
    );
  });

  test('a function of another account, which the stack cannot let anyone into', () => {
    const here = { env: { account: '111122223333', region: 'eu-central-1' } };
    const other = new Stack(new App(QUICK), 'Other', here);
    const fn = LambdaFunction.fromFunctionArn(
      other,
      'Theirs',
      'arn:aws:lambda:eu-central-1:444455556666:function:shop-report',
    );
    const theirs = Quarterjack.fromAttributes(other, 'Jobs', ATTRIBUTES);
    expect(() => theirs.addLambdaTarget(fn)).toThrow(
      /Other\/Theirs: this stack cannot let the executor in, because the function is imported/,
    );
  });

  test('an imported function in a stack without env, unless it says that it is of the account', () => {
    const functionArn = `${ARN}:shop-imported`;
    const from = (attributes: FunctionAttributes) =>
      jobs.addLambdaTarget(
        LambdaFunction.fromFunctionAttributes(stack, `Imported${attributes.sameEnvironment}`, attributes),
      );
    expect(() => from({ functionArn, sameEnvironment: undefined })).toThrow(
      /because the function is imported .* expected one of fromFunctionAttributes with sameEnvironment: true/,
    );
    expect(from({ functionArn, sameEnvironment: true })).toEqual({ type: 'lambda', functionArn });
  });

  test('$LATEST, which no permission can name', () => {
    const { latestVersion } = functionIn(stack, 'Latest', 'shop-latest');
    expect(() => jobs.addLambdaTarget(latestVersion)).toThrow(
      /cannot let the executor in, because it is \$LATEST; expected the function, an alias/,
    );
  });

  test('an alias of a function whose name is generated', () => {
    const alias = functionIn(stack, 'Unnamed').addAlias('live');
    expect(() => jobs.addLambdaTarget(alias)).toThrow(/functionName is generated; expected one that begins/);
  });
});

describe('attributes that no deployment has fail the synthesis, each with what is expected', () => {
  let made = 0;
  const env = { account: '111122223333', region: 'eu-central-1' };
  const make = (changes: object) => {
    const stack = new Stack(new App(QUICK), `Team${made++}`, { env });
    return Quarterjack.fromAttributes(stack, 'Jobs', { ...ATTRIBUTES, ...changes } as QuarterjackAttributes);
  };

  test.each<[string, object, string]>([
    ['a slash', { url: 'https://jobs.example.com/' }, 'expected an https URL without a path'],
    ['a path', { url: 'https://jobs.example.com/v1' }, 'url = "https://jobs.example.com/v1": expected an'],
    ['no URL', { url: undefined }, 'url: is required; expected an https URL'],
    ['no project', { project: '' }, 'project = "": expected a project of 1 to 512 characters'],
    ['a project of its own', { project: '#x' }, 'project = "#x": expected a project'],
    [
      'a role',
      { providerArn: `${ROLE}/provider` },
      'expected the ARN of a function, without version or alias',
    ],
    ['an alias', { providerArn: `${ARN}:provider:live` }, 'expected the ARN of a function, without version'],
    ['a function', { executorRoleArn: `${ARN}:executor` }, 'expected the ARN of an IAM role'],
    [
      'another region',
      { providerArn: ATTRIBUTES.providerArn.replace('eu-central-1', 'us-east-1') },
      'expected the region eu-central-1, in which the stack is',
    ],
    [
      'another account',
      { executorRoleArn: ATTRIBUTES.executorRoleArn.replace('111122223333', '444455556666') },
      'expected the account 111122223333, in which the stack is',
    ],
    ['a pattern', { targetNamePrefix: 'shop-*' }, 'targetNamePrefix = "shop-*": expected 1 to 64 letters'],
    [
      'a typo',
      { targetNamePrefx: 'shop-' },
      'targetNamePrefx: is not known; did you mean "targetNamePrefix"?',
    ],
  ])('%s', (_, changes, message) => {
    expect(() => make(changes)).toThrow(message);
  });

  test('references to other resources are left to the deployment', () => {
    const stack = new Stack(new App(QUICK), 'ByReference', { env });
    const text = new CfnParameter(stack, 'Text').valueAsString;
    const all = { url: text, project: text, executorRoleArn: text, providerArn: text, providerRoleArn: text };
    expect(() => Quarterjack.fromAttributes(stack, 'Jobs', all)).not.toThrow();
  });
});
