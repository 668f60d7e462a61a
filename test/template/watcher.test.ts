import { App, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, type IFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { DefinitionBody, Pass, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';

import prod from '../../config/prod.json';
import type { AddStateMachineOptions, AddTargetOptions } from '../../lib';
import { parseConfig } from '../../lib/config/parse-config';
import { Quarterjack } from '../../lib/quarterjack';
import { listOf, type Statement } from './statements';
import { createStackOf, ofType, QUICK, resourcesIn, type Resource, stubBundles, targetOf } from './synth';

const MACHINES = 'arn:aws:states:eu-central-1:111122223333:stateMachine:nightly-*';
const EXECUTIONS = 'arn:aws:states:eu-central-1:111122223333:execution:nightly-*:qj-*';
const ROLE = 'arn:aws:iam::111122223333:role/targets';

type Resources = Map<string, Resource>;

const deploymentWith = (more: object): Resources =>
  resourcesIn(createStackOf(parseConfig({ ...prod, stage: 'prod', ...more }, 'prod with state machines')));

const idsWith = (resources: Resources, part: RegExp) => [...resources.keys()].filter((id) => part.test(id));

function functionIn(resources: Resources, stage: string): Resource {
  const found = ofType(resources, 'AWS::Lambda::Function').find(([id]) =>
    id.includes(`Stages${stage}Function`),
  );
  return found![1];
}

function statementsOf(resources: Resources, stage: string): Statement[] {
  const role = targetOf(functionIn(resources, stage).Properties.Role);
  const policies = resources.get(role)!.Properties.Policies as {
    PolicyDocument: { Statement: Statement[] };
  }[];
  return policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

const with_ = (statements: Statement[], action: string) =>
  statements.filter(({ Action }) => listOf(Action).includes(action));

describe('a deployment whose jobs start no state machine', () => {
  const resources = deploymentWith({});

  test('has nothing of the watcher', () => {
    expect(idsWith(resources, /Watch/)).toEqual([]);
    expect(ofType(resources, 'AWS::Events::Rule')).toEqual([]);
    expect(functionIn(resources, 'Sweeper').Properties.Environment.Variables.WATCH_QUEUE_URL).toBe('');
  });
});

describe('a deployment that allows state machines', () => {
  const resources = deploymentWith({ allowedTargetArns: [MACHINES] });
  const [[queueId] = []] = ofType(resources, 'AWS::SQS::Queue').filter(([id]) => id.startsWith('WatchQueue'));
  const [[ruleId, rule] = []] = ofType(resources, 'AWS::Events::Rule');

  test('passes the ends of its executions to the queue of the watcher, which takes them from this rule alone', () => {
    expect(rule!.Properties).toMatchObject({
      EventPattern: {
        source: ['aws.states'],
        'detail-type': ['Step Functions Execution Status Change'],
        detail: {
          name: [{ prefix: 'qj-' }],
          status: ['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'],
        },
      },
      Targets: [{ Id: 'Watcher', Arn: { 'Fn::GetAtt': [queueId, 'Arn'] } }],
    });
    expect(rule!.Properties).not.toHaveProperty('EventBusName');
    const policy = ofType(resources, 'AWS::SQS::QueuePolicy').find(([id]) => id.startsWith('Watch'))![1];
    expect(policy.Properties.PolicyDocument.Statement).toEqual([
      expect.objectContaining({ Effect: 'Deny', Action: 'sqs:*' }),
      {
        Effect: 'Allow',
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: '*',
        Condition: { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [ruleId, 'Arn'] } } },
      },
    ]);
  });

  test('keeps what the watcher cannot handle, and gives it time for a batch', () => {
    expect(resources.get(queueId!)!.Properties).toMatchObject({
      VisibilityTimeout: 180,
      RedrivePolicy: { maxReceiveCount: 5 },
    });
    const mapping = ofType(resources, 'AWS::Lambda::EventSourceMapping').find(([, { Properties }]) =>
      JSON.stringify(Properties.EventSourceArn).includes(queueId!),
    );
    expect(mapping![1].Properties).toMatchObject({
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });

  test('lets the watcher describe and stop what it has started, and start nothing', () => {
    const watcher = statementsOf(resources, 'Watcher');
    expect(with_(watcher, 'states:StopExecution')).toEqual([
      {
        Effect: 'Allow',
        Action: ['states:DescribeExecution', 'states:StopExecution'],
        Resource: EXECUTIONS,
      },
    ]);
    expect(with_(watcher, 'states:StartExecution')).toEqual([]);
    expect(with_(watcher, 'secretsmanager:GetSecretValue')).toEqual([]);
    expect(with_(statementsOf(resources, 'Executor'), 'states:StopExecution')).toEqual([]);
  });

  test('lets the sweeper send questions to the watcher', () => {
    const { WATCH_QUEUE_URL } = functionIn(resources, 'Sweeper').Properties.Environment.Variables;
    expect(targetOf(WATCH_QUEUE_URL)).toBe(queueId);
    const sending = with_(statementsOf(resources, 'Sweeper'), 'sqs:SendMessage');
    expect(JSON.stringify(sending)).toContain(queueId);
  });

  test('has alarms on ends that come late, or never, and its logs in the saved queries', () => {
    const alarms = idsWith(resources, /^Alarms(DeadLettersWatcher|WatchLag|LostSight)/);
    expect(alarms).toHaveLength(3);
    const [logs] = idsWith(resources, /^StagesWatcherLogs/);
    for (const [, { Properties }] of ofType(resources, 'AWS::Logs::QueryDefinition'))
      expect(JSON.stringify(Properties.LogGroupNames)).toContain(logs);
  });
});

test('where a project has a role, the watcher assumes it, as the executor does', () => {
  const resources = deploymentWith({ allowedTargetArns: [MACHINES], assumeRole: { roleArn: ROLE } });
  const watcher = statementsOf(resources, 'Watcher');
  expect(with_(watcher, 'sts:AssumeRole')).toEqual([
    { Effect: 'Allow', Action: 'sts:AssumeRole', Resource: ROLE },
  ]);
  expect(with_(watcher, 'states:StopExecution')).toEqual([]);
});

describe('a state machine of the stack’s program', () => {
  function shop(...options: (AddStateMachineOptions | undefined)[]) {
    const app = new App(QUICK);
    const stack = new Stack(app, 'Shop');
    const assumeRole = { billing: { roleArn: ROLE } };
    const jobs = new Quarterjack(stack, 'Jobs', { bundlesDir: stubBundles(), assumeRole });
    const targets = options.map((one, index) => {
      const definitionBody = DefinitionBody.fromChainable(new Pass(stack, `Step${index}`));
      return jobs.addStateMachineTarget(new StateMachine(stack, `It${index}`, { definitionBody }), one);
    });
    return { targets, resources: resourcesIn({ app, stack }) };
  }

  test('is waited for if the stack says so; in any case the watcher may watch it', () => {
    const { targets, resources } = shop({ wait: true }, undefined);
    expect(targets[0]).toMatchObject({ type: 'stepfunctions', wait: true });
    expect(targets[1]).not.toHaveProperty('wait');
    expect(ofType(resources, 'AWS::Events::Rule')).toHaveLength(1);
    const watching = with_(statementsOf(resources, 'Watcher'), 'states:StopExecution');
    for (const id of ['It0', 'It1']) expect(JSON.stringify(watching)).toContain(id);
    expect(JSON.stringify(watching)).toContain(':qj-*');
    expect(JSON.stringify(watching)).toContain(':execution:');
  });

  test('of a project with a role is watched under that role', () => {
    const { resources } = shop({ wait: true, project: 'billing' });
    const watcher = statementsOf(resources, 'Watcher');
    expect(with_(watcher, 'states:StopExecution')).toEqual([]);
    expect(with_(watcher, 'sts:AssumeRole')).toHaveLength(1);
  });
});

const ORDERS = 'arn:aws:lambda:eu-central-1:111122223333:function:orders';

describe('durable functions', () => {
  test('are watched where the configuration says so: every function may else be any function', () => {
    const allowedTargetArns = [`${ORDERS}:live`];
    expect(idsWith(deploymentWith({ allowedTargetArns }), /Watch/)).toEqual([]);
    const resources = deploymentWith({ allowedTargetArns, errands: { durable: true } });
    const rules = ofType(resources, 'AWS::Events::Rule');
    expect(rules.map(([, { Properties }]) => Properties.EventPattern)).toEqual([
      {
        source: ['aws.lambda'],
        'detail-type': ['Durable Execution Status Change'],
        detail: {
          durableExecutionName: [{ prefix: 'qj-' }],
          status: ['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'STOPPED'],
        },
      },
    ]);
    const watcher = statementsOf(resources, 'Watcher');
    expect(with_(watcher, 'lambda:GetDurableExecution')).toEqual([
      {
        Effect: 'Allow',
        Action: [
          'lambda:GetDurableExecution',
          'lambda:GetDurableExecutionHistory',
          'lambda:StopDurableExecution',
        ],
        Resource: `${ORDERS}:*/durable-execution/qj-*`,
      },
    ]);
    expect(with_(watcher, 'lambda:ListDurableExecutionsByFunction')).toEqual([
      {
        Effect: 'Allow',
        Action: 'lambda:ListDurableExecutionsByFunction',
        Resource: [ORDERS, `${ORDERS}:*`],
      },
    ]);
    expect(with_(watcher, 'lambda:InvokeFunction')).toEqual([]);
    expect(with_(statementsOf(resources, 'Executor'), 'lambda:StopDurableExecution')).toEqual([]);
    for (const stage of ['Api', 'Executor'])
      expect(functionIn(resources, stage).Properties.Environment.Variables.ERRANDS).toBe('["durable"]');
  });

  function shop(options?: AddTargetOptions, add = (fn: LambdaFunction): IFunction => fn.addAlias('live')) {
    const app = new App(QUICK);
    const stack = new Stack(app, 'Shop');
    const assumeRole = { billing: { roleArn: ROLE } };
    const jobs = new Quarterjack(stack, 'Jobs', { bundlesDir: stubBundles(), assumeRole });
    const fn = new LambdaFunction(stack, 'It', {
      runtime: Runtime.NODEJS_22_X,
      handler: 'index.handler',
      code: Code.fromInline('x'),
    });
    const target = jobs.addDurableTarget(add(fn), options);
    return { target, resources: resourcesIn({ app, stack }) };
  }

  test('of the stack’s program are watched in all versions', () => {
    const { target, resources } = shop();
    expect(target).toMatchObject({ type: 'lambda', durable: true });
    const watching = with_(statementsOf(resources, 'Watcher'), 'lambda:StopDurableExecution');
    expect(JSON.stringify(watching)).toContain(':*/durable-execution/qj-*');
    expect(functionIn(resources, 'Api').Properties.Environment.Variables.ERRANDS).toBe('["durable"]');
  });

  test('of a project with a role are watched under that role', () => {
    const { resources } = shop({ project: 'billing' });
    const watcher = statementsOf(resources, 'Watcher');
    expect(with_(watcher, 'lambda:StopDurableExecution')).toEqual([]);
    expect(with_(watcher, 'sts:AssumeRole')).toHaveLength(1);
  });

  test('need a version or alias', () => {
    expect(() => shop({}, (fn) => fn)).toThrow(
      /Shop\/It cannot be a durable target: give one of its versions/,
    );
  });
});
