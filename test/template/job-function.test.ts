import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { App, Stack, Stage } from 'aws-cdk-lib';

import { Shop } from '../../examples/jobs-in-code/stack';
import { JobFunction, type JobFunctionProps, Quarterjack } from '../../lib';
import {
  ARN,
  ATTRIBUTES,
  deployedBy,
  ENTRY,
  isOfJobs,
  job,
  manifestOf,
  only,
  type Resources,
  resourcesOf,
} from './jobs-of-stacks';
import { listOf, statementsOf } from './statements';
import { QUICK, type Resource, resourcesIn, stubBundles, targetOf } from './synth';

// Users install the construct; a checkout has it in lib.
jest.mock('@quarterjack/cdk', () => jest.requireActual<object>('../../lib'), { virtual: true });

describe('a stack with a module of jobs', () => {
  let stack: Shop;
  let resources: Resources;
  beforeAll(() => {
    const app = new App(QUICK);
    stack = new Shop(app, 'Shop', { bundlesDir: stubBundles() });
    resources = resourcesIn({ app, stack });
  });

  test('has one resource for all of its jobs, whose manifest is a file that its hash names', () => {
    const [, resource] = only(resources, 'Custom::QuarterjackJobs');
    expect(resource.Properties).toMatchObject({ Project: 'app', Source: 'shop', AllowRemovals: '0' });
    const jobs = deployedBy(stack, resource);
    expect(stack.jobs.jobIds).toEqual(['clean-up', 'nightly-report', 'reminder']);
    expect(jobs.map(({ jobId }) => jobId)).toEqual(stack.jobs.jobIds);
    expect(jobs[1]!.definition).toMatchObject({
      schedule: { type: 'cron', expression: '30 2 * * MON-FRI', timezone: 'Europe/Berlin' },
      payloadSchema: { properties: { region: { type: 'string' } } },
      tags: { 'quarterjack/source': 'shop' },
    });
  });

  test('its jobs call its function, which is there before them, and lives longer than the longest of them', () => {
    const [id, fn] = only(resources, 'AWS::Lambda::Function', isOfJobs);
    const [, { Properties, DependsOn }] = only(resources, 'Custom::QuarterjackJobs');
    expect(JSON.stringify(Properties.Target)).toContain(id);
    expect(JSON.stringify(Properties.Target)).toContain('\\"observe\\":true');
    expect(DependsOn).toEqual(expect.arrayContaining([id, targetOf(fn.Properties.Role)]));
    expect(fn.Properties).toMatchObject({ Timeout: 610, MemorySize: 256, Handler: 'index.handler' });
  });

  test('Lambda itself repeats no invocation of it', () => {
    const [id] = only(resources, 'AWS::Lambda::Function', isOfJobs);
    const isOfFunction = ({ Properties }: Resource) => targetOf(Properties.FunctionName) === id;
    expect(only(resources, 'AWS::Lambda::EventInvokeConfig', isOfFunction)[1].Properties).toMatchObject({
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    });
  });

  test('the function serves the jobs of its project alone, which alone may call it, and has a key of the API', () => {
    const [id, fn] = only(resources, 'AWS::Lambda::Function', isOfJobs);
    expect(fn.Properties.Environment.Variables).toMatchObject({
      QUARTERJACK_PROJECT: 'app',
      QUARTERJACK_URL: expect.anything() as unknown,
      QUARTERJACK_KEY_SECRET: expect.anything() as unknown,
    });
    expect(only(resources, 'Custom::QuarterjackKey')[1].Properties).toMatchObject({ Role: 'operator' });
    const added = [...resources.values()]
      .map(({ Properties }) => JSON.stringify(Properties?.Environment?.Variables?.ADDED_TARGET_ARNS ?? ''))
      .filter((text) => text.includes(id));
    expect(added.length).toBeGreaterThan(0);
    for (const text of added) expect(text).toContain('\\"app\\"');
  });

  test('grants are for the role of the function', () => {
    const [, fn] = only(resources, 'AWS::Lambda::Function', isOfJobs);
    const actions = statementsOf(resources, targetOf(fn.Properties.Role)).flatMap(({ Action }) =>
      listOf(Action),
    );
    expect(actions).toEqual(expect.arrayContaining(['dynamodb:GetItem', 'secretsmanager:GetSecretValue']));
  });

  test('the provider may read manifests, and change nothing there', () => {
    const [, provider] = only(resources, 'AWS::Lambda::Function', ({ Properties }) =>
      String(Properties.Description).startsWith('Makes jobs and keys'),
    );
    const statements = statementsOf(resources, targetOf(provider.Properties.Role));
    const ofS3 = statements.filter(({ Action }) => listOf(Action).some((one) => one.startsWith('s3:')));
    expect(ofS3.map(({ Action }) => Action)).toEqual(['s3:GetObject']);
  });

  test('its bundle runs the job that a delivery names, and no job of another project', () => {
    const [, fn] = only(resources, 'AWS::Lambda::Function', isOfJobs);
    const [hash] = /[0-9a-f]{64}/.exec(JSON.stringify(fn.Properties.Code.S3Key))!;
    const file = join(Stage.of(stack)!.outdir, `asset.${hash}/index.mjs`);
    const invoke = (payload: object, more: object = {}) => {
      const ids = {
        execution: 'e',
        attempt: '1',
        fence: '1',
        due: '2027-01-04T01:30:00.000Z',
        project: 'app',
      };
      const custom = Object.entries({ job: 'nightly-report', ...ids, ...more });
      const context = {
        custom: Object.fromEntries(custom.map(([name, text]) => [`quarterjack-${name}`, text])),
      };
      const args = ['--input-type=module', '--eval', INVOKE, file, JSON.stringify([payload, context])];
      const env = { PATH: process.env.PATH, QUARTERJACK_PROJECT: 'app' };
      return execFileSync(process.execPath, args, {
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
        .trim()
        .split('\n')
        .at(-1);
    };
    expect(invoke({ region: 'us' })).toBe('{"region":"us","day":"2027-01-04"}');
    expect(invoke({ region: 7 })).toBe('QuarterjackFatalError:bad-payload');
    expect(invoke({}, { job: 'gone' })).toBe('QuarterjackRetryAfter:60:unknown-job');
    expect(invoke({}, { project: 'other' })).toBe('QuarterjackFatalError');
  });
});

/** Calls a handler as the runtime of Lambda does, and prints what it returns, or the name of its error. */
const INVOKE = `
const [file, text] = process.argv.slice(1);
const [payload, clientContext] = JSON.parse(text);
const { handler } = await import(file);
const result = handler(payload, { clientContext, getRemainingTimeInMillis: () => 600_000 });
console.log(await result.then((value) => JSON.stringify(value), ({ name }) => name));
`;

describe('two stacks of one app', () => {
  test('the deployment refers to nothing of the jobs, so either is deployed first', () => {
    const app = new App(QUICK);
    const platform = new Stack(app, 'Platform');
    const own = new Quarterjack(platform, 'Jobs', {
      bundlesDir: stubBundles(),
      allowedTargetArns: { shop: [`${ARN}:shop-*`] },
    });
    const team = new Stack(app, 'Team');
    const quarterjack = Quarterjack.fromAttributes(team, 'Jobs', {
      url: own.url,
      project: 'shop',
      executorRoleArn: own.executorRole.roleArn,
      providerArn: own.providerArn,
      providerRoleArn: own.providerRole.roleArn,
      targetNamePrefix: 'shop-',
    });
    const mine = new JobFunction(team, 'Mine', { quarterjack, entry: ENTRY, source: 'shop' });
    const resources = resourcesIn({ app, stack: platform });
    expect(JSON.stringify([...resources.values()])).not.toContain('Fn::ImportValue');
    expect([platform.dependencies, team.dependencies]).toEqual([[], [platform]]);
    const [, fn] = only(resourcesOf(team), 'AWS::Lambda::Function', isOfJobs);
    expect(fn.Properties.FunctionName).toMatch(/^shop-[A-Za-z0-9-]{1,59}$/);
    expect(mine.jobIds).toHaveLength(3);
    const provider = targetOf(platform.resolve(own.providerRole.roleArn));
    expect(JSON.stringify(statementsOf(resources, provider))).toContain('s3:GetObject');
  });
});

describe('a module', () => {
  const synthesized = (props: Partial<JobFunctionProps>, context: object = {}) => {
    const stack = new Stack(new App({ ...QUICK, context: { ...context } }), 'Team');
    const quarterjack = Quarterjack.fromAttributes(stack, 'Jobs', ATTRIBUTES);
    const mine = new JobFunction(stack, 'Mine', { quarterjack, entry: ENTRY, ...props });
    return { stack, mine };
  };

  test('is not run if the stack is not bundled: the last manifest stands in for it', () => {
    synthesized({});
    const { mine } = synthesized({}, { 'aws:cdk:bundling-stacks': ['Other'] });
    expect(mine.jobIds).toEqual(['clean-up', 'nightly-report', 'reminder']);
  });

  test('is not run if it has a manifest', () => {
    const { mine } = synthesized({ manifest: manifestOf([job('a')]) });
    expect(mine.jobIds).toEqual(['a']);
  });
});
