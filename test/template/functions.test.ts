import { Duration, Stack } from 'aws-cdk-lib';
import * as z from 'zod/mini';

import {
  ApiEnv,
  AuditorEnv,
  CanaryEnv,
  ExecutorEnv,
  ScannerEnv,
  SweeperEnv,
  TickEnv,
} from '../../lambdas/core/contracts/env';
import { TickEvent } from '../../lambdas/core/contracts/messages';
import { bind, settings } from '../../lib/constructs/binding';
import { PipelineFunction } from '../../lib/constructs/pipeline-function';
import { MEMORY_MB } from '../../bench/cost/bill';
import { functionOf, makeStack, ofType, resourcesOf, type Stage, STAGES, targetOf } from './synth';

const resources = resourcesOf();
const stageOf = (functionId: string) =>
  STAGES.find((stage) => functionOf(resources, stage)[0] === functionId);

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
}
const listOf = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

/** Every resource that a value refers to, however deep. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('Ref' in value || 'Fn::GetAtt' in value) return [targetOf(value)];
  return Object.values(value).flatMap(referencesIn);
}

/** Statements of all policies of a role. */
const statementsOf = (roleId: string, of = resources): Statement[] =>
  ofType(of, 'AWS::IAM::Policy')
    .filter(([, { Properties }]) => Properties.Roles.some((role: unknown) => targetOf(role) === roleId))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);

describe.each(STAGES)('the function of the %s', (stage) => {
  const [, { Properties }] = functionOf(resources, stage);
  const schemas: Record<Stage, z.ZodMiniObject> = {
    api: ApiEnv,
    tick: TickEnv,
    scanner: ScannerEnv,
    executor: ExecutorEnv,
    sweeper: SweeperEnv,
    auditor: AuditorEnv,
    canary: CanaryEnv,
  };

  test('has the memory that costs are reckoned with', () => {
    expect(Properties.MemorySize).toBe(MEMORY_MB[stage]);
  });

  test('runs on Node.js 24, arm64, traced, with JSON logs that end', () => {
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      TracingConfig: { Mode: 'Active' },
      LoggingConfig: { LogFormat: 'JSON' },
    });
    const logGroup = resources.get(targetOf(Properties.LoggingConfig.LogGroup));
    expect(logGroup?.Properties.RetentionInDays).toBe(14);
    expect(Properties).not.toHaveProperty('ReservedConcurrentExecutions');
  });

  test('is given what it reads, and nothing more', () => {
    const { Variables } = Properties.Environment;
    expect(Object.keys(Variables).toSorted()).toEqual(Object.keys(schemas[stage].shape).toSorted());
    const asText = Object.entries(Variables).map(([name, value]) => {
      const parts = (value as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join'];
      const text = (part: unknown) => (typeof part === 'string' ? part : `<${targetOf(part)}>`);
      return [name, parts ? parts[1].map(text).join(parts[0]) : text(value)];
    });
    expect(schemas[stage].safeParse(Object.fromEntries(asText))).toMatchObject({ success: true });
  });

  test('has a role of its own, which only Lambda may take', () => {
    const roleId = targetOf(Properties.Role);
    const users = STAGES.filter(
      (other) => targetOf(functionOf(resources, other)[1].Properties.Role) === roleId,
    );
    expect(users).toEqual([stage]);
    const role = resources.get(roleId)?.Properties;
    expect(role?.AssumeRolePolicyDocument.Statement).toEqual([
      { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
    ]);
    expect(role).not.toHaveProperty('ManagedPolicyArns');
  });

  test('may do named actions on named resources', () => {
    const wide = statementsOf(targetOf(Properties.Role)).filter(
      ({ Action, Resource }) =>
        listOf(Action).some((action) => action.includes('*')) ||
        listOf(Resource).some((resource) => JSON.stringify(resource).includes('*')),
    );
    // X-Ray knows no resources.
    expect(wide).toEqual([
      { Effect: 'Allow', Action: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], Resource: '*' },
    ]);
  });

  test('names in its environment the tables, queues and secrets that it may use, and no other', () => {
    // Addresses that are handed on, or open to all, need no leave.
    const { CALLBACK_URL: _callback, API_URL: _api, ...variables } = Properties.Environment.Variables;
    const named = referencesIn(variables);
    const used = statementsOf(targetOf(Properties.Role))
      .filter(({ Action }) =>
        listOf(Action).some((one) =>
          /^(dynamodb:|secretsmanager:|sqs:SendMessage$|lambda:InvokeFunction$|events:)/.test(one),
        ),
      )
      .flatMap(({ Resource }) => referencesIn(Resource));
    expect(new Set(named)).toEqual(new Set(used));
  });
});

describe('the executor', () => {
  const [executorId, { Properties }] = functionOf(resources, 'executor');
  test('tells targets the address of this API to report to', () => {
    const [[apiId] = []] = ofType(resources, 'AWS::ApiGatewayV2::Api');
    const endpoint = { 'Fn::GetAtt': [apiId, 'ApiEndpoint'] };
    expect(Properties.Environment.Variables.CALLBACK_URL).toEqual({
      'Fn::Join': ['', [endpoint, '/v1/attempts']],
    });
  });

  const mappings = ofType(resources, 'AWS::Lambda::EventSourceMapping').filter(
    ([, mapping]) => targetOf(mapping.Properties.FunctionName) === executorId,
  );

  test('may send to the queue that feeds it', () => {
    expect(Properties.RecursiveLoop).toBe('Allow');
    for (const stage of STAGES.filter((one) => one !== 'executor'))
      expect(functionOf(resources, stage)[1].Properties).not.toHaveProperty('RecursiveLoop');
  });

  test('has more hands for the more urgent', () => {
    const hands = ['Highest', 'High', 'Medium', 'Low', 'Lowest'].map((priority) => {
      const mapping = mappings.find(([, one]) =>
        targetOf(one.Properties.EventSourceArn).startsWith(`Executions${priority}Queue`),
      );
      return mapping?.[1].Properties.ScalingConfig.MaximumConcurrency;
    });
    expect(hands).toEqual(hands.toSorted((a, b) => b - a));
    expect(hands[0]).toBeGreaterThan(hands[4]);
  });
});

describe('event source mappings', () => {
  const mappings = ofType(resources, 'AWS::Lambda::EventSourceMapping');

  test('feed the scanner, the sweeper and, from each priority and the overflow, the executor', () => {
    const fed = mappings.map(([, { Properties }]) => stageOf(targetOf(Properties.FunctionName)));
    expect(fed.map(String).toSorted()).toEqual([...Array<string>(6).fill('executor'), 'scanner', 'sweeper']);
  });

  test.each(mappings)('%s takes failures one by one, at once, and bounded', (_id, { Properties }) => {
    const stage = stageOf(targetOf(Properties.FunctionName));
    expect(Properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
    expect(Properties.BatchSize).toBe(stage === 'executor' ? 10 : 1);
    expect(Properties.MaximumBatchingWindowInSeconds ?? 0).toBe(0);
    expect(Properties.ScalingConfig.MaximumConcurrency).toBeGreaterThanOrEqual(2);
  });

  test.each(mappings)('%s hides a message for six times the time-out', (_id, { Properties }) => {
    const queue = resources.get(targetOf(Properties.EventSourceArn));
    const consumer = resources.get(targetOf(Properties.FunctionName));
    expect(queue?.Properties.VisibilityTimeout).toBe(6 * consumer?.Properties.Timeout);
  });

  test.each(mappings)('%s polls under a role that may', (_id, { Properties }) => {
    const role = targetOf(resources.get(targetOf(Properties.FunctionName))?.Properties.Role);
    const allowed = statementsOf(role)
      .filter(({ Resource }) => referencesIn(Resource).includes(targetOf(Properties.EventSourceArn)))
      .flatMap(({ Action }) => listOf(Action));
    expect(allowed).toEqual(
      expect.arrayContaining(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes']),
    );
  });
});

describe('schedules', () => {
  const schedules = ofType(resources, 'AWS::Scheduler::Schedule');
  const targets = schedules.map(([, { Properties }]) => ({
    stage: stageOf(targetOf(Properties.Target.Arn)),
    input: JSON.parse(Properties.Target.Input),
    every: Properties.ScheduleExpression,
  }));

  test('tick every minute, once for scans and once for sweeps, and audit and measure by schedules of their own', () => {
    expect(targets).toEqual([
      { stage: 'tick', input: { kind: 'scan' }, every: 'rate(1 minute)' },
      { stage: 'tick', input: { kind: 'sweep' }, every: 'rate(1 minute)' },
      { stage: 'auditor', input: {}, every: 'rate(10 minutes)' },
      { stage: 'canary', input: {}, every: 'rate(5 minutes)' },
    ]);
    for (const { input } of targets.filter(({ stage }) => stage === 'tick'))
      expect(TickEvent.safeParse(input)).toMatchObject({ success: true });
  });

  test.each(schedules)('%s starts on time and gives up after a minute', (_id, { Properties }) => {
    expect(Properties.FlexibleTimeWindow).toEqual({ Mode: 'OFF' });
    expect(Properties.Target.RetryPolicy.MaximumEventAgeInSeconds).toBe(60);
    const functionId = targetOf(Properties.Target.Arn);
    const [config] = ofType(resources, 'AWS::Lambda::EventInvokeConfig').filter(
      ([, one]) => targetOf(one.Properties.FunctionName) === functionId,
    );
    expect(config?.[1].Properties).toMatchObject({ MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 });
  });

  test.each(schedules)('%s has a role of its own, good for its one function', (id, { Properties }) => {
    const roleId = targetOf(Properties.Target.RoleArn);
    const users = schedules.filter(([, one]) => targetOf(one.Properties.Target.RoleArn) === roleId);
    expect(users.map(([user]) => user)).toEqual([id]);
    expect(statementsOf(roleId)).toEqual([
      { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: Properties.Target.Arn },
    ]);
    expect(resources.get(roleId)?.Properties.AssumeRolePolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Action: 'sts:AssumeRole',
        Principal: { Service: 'scheduler.amazonaws.com' },
        Condition: {
          StringEquals: expect.objectContaining({ 'aws:SourceAccount': { Ref: 'AWS::AccountId' } }),
        },
      },
    ]);
  });
});

test('concurrency is set aside only where the configuration asks for it', () => {
  const own = resourcesOf({ reservedConcurrency: { api: 50, executor: 105 } });
  const reserved = STAGES.map((stage) => functionOf(own, stage)[1].Properties.ReservedConcurrentExecutions);
  expect(Object.fromEntries(STAGES.map((stage, n) => [stage, reserved[n]]))).toEqual({
    api: 50,
    executor: 105,
  });
});

test('the hosts in the configuration are what the functions are told that call or accept targets', () => {
  const own = resourcesOf({ allowedTargetHosts: ['example.com', '*.example.org'] });
  for (const stage of ['api', 'executor'] as const) {
    const hosts = functionOf(own, stage)[1].Properties.Environment.Variables.TARGET_HOSTS;
    expect(hosts['Fn::Join'][1][0]).toBe('example.com,*.example.org,'); // and the API's own
    expect(referencesIn(hosts).map((id) => own.get(id)?.Type)).toEqual(['AWS::ApiGatewayV2::Api']);
    expect(functionOf(resources, stage)[1].Properties.Environment.Variables.TARGET_HOSTS).toBe('');
  }
});

describe('AWS resources as targets', () => {
  const arns = [
    'arn:aws:lambda:eu-central-1:111122223333:function:billing-*',
    'arn:aws:sqs:eu-central-1:111122223333:billing',
    'arn:aws:states:eu-central-1:111122223333:stateMachine:billing',
    'arn:aws:lambda:us-east-1:111122223333:function:report',
  ];
  /** What is allowed on ARNs that are spelled out; the stack's own resources are referred to. */
  const deliveriesOf = (own: ReturnType<typeof resourcesOf>, stage: Stage) =>
    statementsOf(targetOf(functionOf(own, stage)[1].Properties.Role), own).flatMap(({ Action, Resource }) =>
      listOf(Resource)
        .filter((resource) => typeof resource === 'string' && resource !== '*')
        .map((resource) => [listOf(Action).join(), resource]),
    );

  test('with none configured, the executor may deliver to none', () => {
    expect(deliveriesOf(resources, 'executor')).toEqual([]);
    for (const stage of ['api', 'executor'] as const)
      expect(functionOf(resources, stage)[1].Properties.Environment.Variables.TARGET_ARNS).toBe('');
  });

  test('the executor may deliver to those that are configured, each by its one action, and nobody else may', () => {
    const own = resourcesOf({ allowedTargetArns: arns });
    expect(new Set(deliveriesOf(own, 'executor'))).toEqual(
      new Set([
        ['lambda:InvokeFunction', arns[0]],
        ['lambda:InvokeFunction', arns[3]],
        ['sqs:SendMessage', arns[1]],
        ['states:StartExecution', arns[2]],
      ]),
    );
    for (const stage of STAGES.filter((one) => one !== 'executor'))
      expect(deliveriesOf(own, stage)).toEqual([]);
    for (const stage of ['api', 'executor'] as const)
      expect(functionOf(own, stage)[1].Properties.Environment.Variables.TARGET_ARNS).toBe(arns.join(','));
  });
});

test('the shard count in the configuration is what the functions are told', () => {
  const { Variables } = functionOf(resourcesOf({ shardCount: '32' }), 'tick')[1].Properties.Environment;
  expect(Variables.SHARD_COUNT).toBe('32');
});

test('a variable that its function does not read is refused', () => {
  const { app, config } = makeStack();
  const uses = bind(settings({ NOBODY_READS_ME: 1 }), settings({ SHARD_COUNT: config.shardCount }));
  const build = () =>
    new PipelineFunction(new Stack(app, 'Other'), 'Tick', {
      stage: 'tick',
      description: '',
      bundlesDir: '.',
      logRetention: config.logRetentionDays,
      timeout: Duration.seconds(1),
      memoryMb: 128,
      env: z.pick(TickEnv, { SHARD_COUNT: true }),
      uses,
    });
  expect(build).toThrow('the tick function does not read NOBODY_READS_ME');
});
