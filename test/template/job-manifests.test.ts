import { App, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

import { JobFunction, type JobFunctionProps, Quarterjack } from '../../lib';
import {
  ARN,
  ATTRIBUTES,
  deployedBy,
  ENTRY,
  job,
  manifestOf,
  only,
  type Resources,
  resourcesOf,
  ROLE,
} from './jobs-of-stacks';
import { QUICK } from './synth';

class Scope extends Construct {}

const functionIn = (scope: Construct, id: string, functionName?: string): LambdaFunction =>
  new LambdaFunction(scope, id, {
    runtime: Runtime.PYTHON_3_13,
    handler: 'jobs.served.lambda_handler',
    code: Code.fromInline('served = None'),
    ...(functionName !== undefined && { functionName }),
  });

describe('a manifest that was printed before', () => {
  const stackOf = (props: Omit<JobFunctionProps, 'quarterjack' | 'function'>) => {
    const stack = new Stack(new App(QUICK), 'Team');
    const quarterjack = Quarterjack.fromAttributes(stack, 'Jobs', ATTRIBUTES);
    const fn = functionIn(stack, 'Fn', 'shop-python');
    const jobs = new JobFunction(stack, 'Mine', { quarterjack, function: fn, ...props });
    const resources: Resources = resourcesOf(stack);
    return { stack, jobs, fn, resources };
  };

  test('goes with a function of any language', () => {
    const { stack, jobs, fn, resources } = stackOf({ manifest: manifestOf([job('a')], { source: 'py' }) });
    const [id, resource] = only(resources, 'Custom::QuarterjackJobs');
    expect(id).toMatch(/^QuarterjackJobs[0-9a-f]{12}$/);
    expect(resource.Properties).toMatchObject({
      ServiceToken: `${ARN}:provider`,
      Source: 'py',
      Project: 'shop',
    });
    expect(jobs.function).toBe(fn);
    expect(deployedBy(stack, resource).map(({ jobId }) => jobId)).toEqual(['a']);
    expect(only(resources, 'AWS::Lambda::Permission')[1].Properties.Principal).toBe(`${ROLE}/executor`);
  });

  test('with a prefix is another program, whose jobs wait for each other by their deployed ids', () => {
    const after = job('b', { schedule: { type: 'after', jobs: ['a', 'of-others'] } });
    const manifest = manifestOf([after, job('a')]);
    const { stack, jobs, resources } = stackOf({ manifest, source: 'shop', prefix: 'staging-' });
    const [, resource] = only(resources, 'Custom::QuarterjackJobs');
    expect(jobs.jobIds).toEqual(['staging-a', 'staging-b']);
    expect(resource.Properties.Source).toBe('shop/staging-');
    const [, second] = deployedBy(stack, resource);
    expect(second!.definition).toMatchObject({
      schedule: { jobs: ['staging-a', 'of-others'] },
      tags: { 'quarterjack/source': 'shop/staging-' },
    });
  });

  const many = Array.from({ length: 501 }, (_, at) => job(`j${at}`));
  test.each<[string, object[], RegExp]>([
    ['no job', [], /it exports no job/],
    ['more jobs than 500', many, /it has 501 jobs; at most 500/],
    ['two of one id', [job('a'), job('a')], /two jobs have the id a/],
    [
      'a reserved tag',
      [job('a', { tags: { 'quarterjack/source': 'x' } })],
      /a: tags that begin with quarterjack\//,
    ],
    ['a wrong field', [job('a', { priority: 'urgent' })], /a: priority = "urgent"/],
    ['an id of more than 64 characters', [job('a'.repeat(65))], /a{65}: an id has 1 to 64 letters/],
    ['an id with a slash', [job('a/b')], /a\/b: an id has 1 to 64 letters/],
    [
      'a schema that the server refuses',
      [{ ...job('a'), payloadSchema: { properties: { b: { $anchor: 'x' } } } }],
      /a: payloadSchema\.properties\.b\.\$anchor = "x": is not supported/,
    ],
    [
      'a payload that does not fit its schema',
      [{ ...job('a', { payload: { n: 'x' } }), payloadSchema: { properties: { n: { type: 'number' } } } }],
      /a: payload\.n = "x": must be a number, not a text/,
    ],
    [
      'a payload of null where its schema wants an object',
      [{ ...job('a', { payload: null }), payloadSchema: { type: 'object' } }],
      /a: payload = null: must be an object, not null/,
    ],
    [
      'no payload, where the clock brings none',
      [{ ...job('a', { schedule: 'every 5m' }), payloadSchema: { required: ['n'] } }],
      /a: payload\.n: is required/,
    ],
    [
      'a call of more than 14 minutes',
      [job('a', { timeout: '20m' })],
      /a: timeout is 20m: .* needs a worker/,
    ],
  ])('with %s fails the synthesis', (_, jobs, message) => {
    expect(() => stackOf({ manifest: manifestOf(jobs) })).toThrow(message);
  });

  test.each<[string, Partial<JobFunctionProps>, RegExp]>([
    ['no manifest', { manifest: undefined }, /expected a manifest, beside a function of yours/],
    ['both a module and a function', { entry: ENTRY }, /expected one of entry and function/],
    ['a file that is not there', { manifest: 'none.json' }, /manifest is "none.json"; expected a file/],
    ['a prefix with a space', { prefix: 'a b' }, /prefix is "a b"; expected at most 32 letters/],
    [
      'a number of removals below zero',
      { allowRemovals: -1 },
      /allowRemovals is -1; expected a whole number/,
    ],
    ['another project', { project: 'other' }, /project is "other"; expected "shop"/],
  ])('%s fails the synthesis', (_, props, message) => {
    expect(() => stackOf({ manifest: manifestOf([job('a')]), ...props })).toThrow(message);
  });
});

test('a construct that moves keeps its resource, so its jobs stay', () => {
  const manifest = manifestOf([job('a')]);
  const idOf = (path: string[]) => {
    const stack = new Stack(new App(QUICK), 'Team');
    const quarterjack = Quarterjack.fromAttributes(stack, 'Jobs', ATTRIBUTES);
    const scope = path.reduce<Construct>((parent, id) => new Scope(parent, id), stack);
    new JobFunction(scope, 'Mine', { quarterjack, manifest, function: functionIn(scope, 'Fn', 'shop-fn') });
    return only(resourcesOf(stack), 'Custom::QuarterjackJobs')[0];
  };
  expect(idOf(['Reports', 'Nightly'])).toBe(idOf([]));
});

test('a stack has each source and each job once', () => {
  const stack = new Stack(new App(QUICK), 'Team');
  const quarterjack = Quarterjack.fromAttributes(stack, 'Jobs', ATTRIBUTES);
  const make = (id: string, props: Partial<JobFunctionProps>) =>
    new JobFunction(stack, id, {
      ...{
        quarterjack,
        function: functionIn(stack, `Fn${id}`, `shop-${id}`),
        manifest: manifestOf([job('a')]),
      },
      ...props,
    });
  make('One', {});
  expect(() => make('Two', { prefix: '' })).toThrow(
    /Team\/Two: the stack has jobs of the source Team already/,
  );
  expect(() => make('Three', { source: 'other' })).toThrow(/Team\/Three: the stack has a job a already/);
  expect(() => make('Four', { source: 'other-again', prefix: 'b-' })).not.toThrow();
});
