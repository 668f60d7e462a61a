import { App, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { DefinitionBody, Pass, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';

import { type AddTargetOptions, Quarterjack, ScheduledJob, type ScheduledJobProps } from '../../lib';
import { referencesIn, type Statement, statementsOf } from './statements';
import { ofType, QUICK, resourcesIn, stubBundles, targetOf } from './synth';

type Target = NonNullable<ScheduledJobProps['job']['target']>;
type Add = (stack: Stack, jobs: Quarterjack, options?: AddTargetOptions) => Target;

const event = { source: 'shop', detailType: 'Due' };
const TARGETS: Record<string, { add: Add; statements: object[]; target: object }> = {
  'a function': {
    add: (stack, jobs, options) =>
      jobs.addLambdaTarget(
        new LambdaFunction(stack, 'It', {
          runtime: Runtime.NODEJS_24_X,
          handler: 'index.handler',
          code: Code.fromInline('exports.handler = async () => {};'),
        }),
        options,
      ),
    statements: [{ Action: 'lambda:InvokeFunction' }],
    target: { type: 'lambda', functionArn: expect.any(String) },
  },
  'an alias of a durable function': {
    add: (stack, jobs, options) => {
      const fn = new LambdaFunction(stack, 'It', {
        runtime: Runtime.NODEJS_24_X,
        handler: 'index.handler',
        code: Code.fromInline('exports.handler = async () => {};'),
      });
      return jobs.addDurableTarget(fn.addAlias('live'), options);
    },
    statements: [{ Action: 'lambda:InvokeFunction' }],
    target: { type: 'lambda', functionArn: expect.any(String), durable: true },
  },
  'a queue': {
    add: (stack, jobs, options) => jobs.addQueueTarget(new Queue(stack, 'It'), options),
    statements: [{ Action: 'sqs:SendMessage' }],
    target: { type: 'sqs', queueUrl: expect.any(String) },
  },
  'an encrypted queue': {
    add: (stack, jobs, options) =>
      jobs.addQueueTarget(new Queue(stack, 'It', { encryptionMasterKey: new Key(stack, 'ItKey') }), options),
    statements: [{ Action: 'sqs:SendMessage' }, { Action: ['kms:GenerateDataKey', 'kms:Decrypt'] }],
    target: { type: 'sqs', queueUrl: expect.any(String) },
  },
  'a topic': {
    add: (stack, jobs, options) => jobs.addTopicTarget(new Topic(stack, 'It'), options),
    statements: [{ Action: 'sns:Publish' }],
    target: { type: 'sns', topicArn: expect.any(String) },
  },
  'an encrypted topic': {
    add: (stack, jobs, options) =>
      jobs.addTopicTarget(new Topic(stack, 'It', { masterKey: new Key(stack, 'ItKey') }), options),
    statements: [{ Action: 'sns:Publish' }, { Action: ['kms:GenerateDataKey', 'kms:Decrypt'] }],
    target: { type: 'sns', topicArn: expect.any(String) },
  },
  'an event bus': {
    add: (stack, jobs, options) => jobs.addBusTarget(new EventBus(stack, 'It'), event, options),
    statements: [{ Action: 'events:PutEvents' }],
    target: { type: 'eventbridge', eventBusName: expect.any(String), ...event },
  },
  'a state machine': {
    add: (stack, jobs, options) => {
      const definitionBody = DefinitionBody.fromChainable(new Pass(stack, 'Step'));
      return jobs.addStateMachineTarget(new StateMachine(stack, 'It', { definitionBody }), options);
    },
    statements: [{ Action: 'states:StartExecution' }],
    target: { type: 'stepfunctions', stateMachineArn: expect.any(String) },
  },
};

const assumeRole = { billing: { roleArn: 'arn:aws:iam::111122223333:role/billing' } };

/** A shop with one added target, and a job that calls it. */
function shopWith(add: Add, options?: AddTargetOptions) {
  const app = new App(QUICK);
  const stack = new Stack(app, 'Shop');
  const jobs = new Quarterjack(stack, 'Jobs', { bundlesDir: stubBundles(), assumeRole });
  const target = add(stack, jobs, options);
  new ScheduledJob(stack, 'Nightly', {
    quarterjack: jobs,
    job: { schedule: { type: 'cron', expression: '0 2 * * *' }, target },
  });
  const resources = resourcesIn({ app, stack });
  const isTheirs = ({ Resource }: Statement) => referencesIn(Resource).some((id) => id.startsWith('It'));
  const executor = targetOf(stack.resolve(jobs.executorRole.roleArn));
  const added = ofType(resources, 'AWS::Lambda::Function').flatMap(
    ([, { Properties }]): unknown[] => Properties.Environment?.Variables.ADDED_TARGET_ARNS ?? [],
  );
  return { target, statements: statementsOf(resources, executor).filter(isTheirs), added };
}

describe.each(Object.entries(TARGETS))('%s', (_, { add, statements, target }) => {
  test('gets exactly the permission that a delivery needs, and the functions know it', () => {
    const shop = shopWith(add);
    expect(shop.target).toEqual(target);
    const expected = statements.map((one) => ({ ...one, Effect: 'Allow', Resource: expect.anything() }));
    expect(shop.statements).toEqual(expected);
    expect(shop.added.length).toBeGreaterThan(1);
    for (const arns of shop.added) expect(JSON.stringify(arns)).toMatch(/\{\\"\*\\":.*"It/);
  });

  test('gets none of the executor in a project with a role of its own', () => {
    const shop = shopWith(add, { project: 'billing' });
    expect(shop.statements).toEqual([]);
    for (const arns of shop.added) expect(JSON.stringify(arns)).toMatch(/\{\\"billing\\":.*"It/);
  });
});
