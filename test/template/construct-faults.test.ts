import { App, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';

import { Quarterjack, type QuarterjackProps, ScheduledJob } from '../../lib';
import { QUICK, stubBundles } from './synth';

const stack = new Stack(new App(QUICK), 'Shop');

let made = 0;
/** As a program makes it that no compiler has checked. */
const make = (props: object): Quarterjack =>
  new Quarterjack(stack, `Jobs${made++}`, { bundlesDir: stubBundles(), ...props } as QuarterjackProps);

test.each<[string, object, string | RegExp]>([
  ['a property', { shardcount: 3 }, 'shardcount = 3: is not a known field; did you mean "shardCount"?'],
  ['a quota', { quotas: { job: 3 } }, 'quotas.job = 3: is not a known field; did you mean "jobs"?'],
  ['a list of quotas', { quotas: [5] }, 'quotas = [5]: must be an object, not a list'],
  ['a number for quotas', { quotas: 5 }, 'quotas = 5: must be an object, not a number'],
  ['a text for pools', { pools: 'gpu' }, 'pools = "gpu": must be an object, not a text'],
  [
    'a pool',
    { pools: { gpu: { memoryMB: 512 } } },
    'pools.gpu.memoryMB = 512: is not a known field; did you mean "memoryMb"?',
  ],
  ['no project', { project: '' }, 'project is ""; expected a project of 1 to 512 characters'],
  ['a project of the deployment itself', { project: '#x' }, 'project is "#x"; expected a project'],
  ['a long project', { project: 'x'.repeat(513) }, 'expected a project of 1 to 512 characters'],
  ['a pool that is null', { pools: { default: null } }, 'pools.default = null: must be an object, not null'],
])('%s that a deployment cannot have is refused by its name', (_, props, message) => {
  expect(() => make(props)).toThrow(message);
});

test('a certificate of another region is refused with that of the stack', () => {
  const here = new Stack(new App(QUICK), 'Here', { env: { region: 'eu-central-1' } });
  const certificate = '111122223333:certificate/11111111-2222-3333-4444-555555555555';
  const domainIn = (region: string) => ({
    bundlesDir: stubBundles(),
    domain: { name: 'jobs.example.com', certificateArn: `arn:aws:acm:${region}:${certificate}` },
  });
  expect(() => new Quarterjack(here, 'Other', domainIn('us-east-1'))).toThrow(
    /domain\.certificateArn = "arn:aws:acm:us-east-1:.*": expected a certificate in eu-central-1/,
  );
  expect(() => new Quarterjack(here, 'Own', domainIn('eu-central-1'))).not.toThrow();
});

describe('methods refuse what no deployment takes', () => {
  const jobs = make({});
  const fn = new LambdaFunction(stack, 'Fn', {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = async () => {};'),
  });
  const bus = new EventBus(stack, 'Bus');
  const event = { source: 'shop', detailType: 'Due' };
  const schedule = { type: 'cron', expression: '0 2 * * *' } as const;
  const job = { schedule, target: { type: 'http', url: 'https://example.com/' } as const };

  test.each<[string, () => unknown, string | RegExp]>([
    [
      'a source of AWS',
      () => jobs.addBusTarget(bus, { ...event, source: 'aws.x' }),
      /Bus cannot be a target:\n {2}source = "aws\.x": must not be "quarterjack" or begin/,
    ],
    [
      'no type',
      () => jobs.addBusTarget(bus, { ...event, detailType: '' }),
      'detailType = "": must have 1 to',
    ],
    [
      'a project',
      () => jobs.addBusTarget(bus, event, { project: '#x' }),
      'project is "#x"; expected a project',
    ],
    [
      'the project of a job',
      () => new ScheduledJob(stack, 'Bad', { quarterjack: jobs, job, project: '' }),
      'Shop/Bad: project is ""; expected a project',
    ],
    [
      'a role',
      () => jobs.grantManageJobs(fn, { role: 'edtor' as 'editor' }),
      /role is "edtor"; .*"editor"\?$/,
    ],
    [
      'a version',
      () => jobs.grantManageJobs(fn, { keyVersion: 0 }),
      'keyVersion is 0; expected a whole number',
    ],
    [
      'the project of a key',
      () => jobs.grantManageJobs(fn, { project: 'quarterjack-x' }),
      'project is "quart',
    ],
  ])('%s', (_, call, message) => {
    expect(call).toThrow(message);
  });
});
