import { TickEvent } from '../../lambdas/core/contracts/messages';
import { LANES } from '../../lambdas/core/contracts/pools';
import { longestOf } from '../../lib/limits/longest';
import { resourcesOfSize, SIZES } from './maximal';
import { listOf, referencesIn, statementsOf } from './statements';
import { functionOf, ofType, resourcesOf, STAGES, targetOf } from './synth';

const resources = resourcesOf();
const stageOf = (functionId: string) =>
  ([...STAGES, 'longExecutor'] as const).find((stage) => functionOf(resources, stage)[0] === functionId);

describe('event source mappings', () => {
  const mappings = ofType(resources, 'AWS::Lambda::EventSourceMapping');

  test('invoke the scanner, the sweeper, and the executor of each lane', () => {
    const invoked = mappings.map(([, { Properties }]) => [
      targetOf(Properties.EventSourceArn).replace(/Queue[0-9A-F]{8}$/, ''),
      stageOf(targetOf(Properties.FunctionName)),
    ]);
    const laneOf = (lane: string) => `Executions${lane.charAt(0).toUpperCase()}${lane.slice(1)}`;
    const expected = LANES.map((lane) => [laneOf(lane), lane === 'long' ? 'longExecutor' : 'executor']);
    expect(Object.fromEntries(invoked)).toEqual({
      ...Object.fromEntries(expected),
      RequestsScan: 'scanner',
      RequestsSweep: 'sweeper',
    });
    expect(invoked).toHaveLength(LANES.length + 2);
  });

  test.each(mappings)(
    '%s reports single failures, has no batching window and limits concurrency',
    (_id, { Properties }) => {
      const stage = stageOf(targetOf(Properties.FunctionName));
      expect(Properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
      expect(Properties.BatchSize).toBe(/executor$/i.test(stage!) ? 10 : 1);
      expect(Properties.MaximumBatchingWindowInSeconds ?? 0).toBe(0);
      expect(Properties.ScalingConfig.MaximumConcurrency).toBeGreaterThanOrEqual(2);
    },
  );

  test.each(mappings)(
    '%s has a queue whose visibility timeout is six times the function timeout',
    (_id, { Properties }) => {
      const queue = resources.get(targetOf(Properties.EventSourceArn));
      const consumer = resources.get(targetOf(Properties.FunctionName));
      expect(queue?.Properties.VisibilityTimeout).toBe(6 * consumer?.Properties.Timeout);
    },
  );

  test.each(SIZES)('of the %s deployment poll under roles that permit it', (_name, config) => {
    const all = resourcesOfSize(config);
    const within = { stackName: `Quarterjack-${config.stage}`, resources: all };
    const polling = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
    for (const [id, { Properties }] of ofType(all, 'AWS::Lambda::EventSourceMapping')) {
      const queue = longestOf(Properties.EventSourceArn, within) as string;
      const named = all.get(referencesIn(Properties.FunctionName)[0]!)!.Properties;
      const invoked = named.Role ? named : all.get(targetOf(named.FunctionName))!.Properties; // or its alias
      const allowed = statementsOf(all, targetOf(invoked.Role))
        .filter(({ Resource }) =>
          listOf(Resource).some((one) => matches(longestOf(one, within) as string, queue)),
        )
        .flatMap(({ Action }) => listOf(Action));
      expect([id, polling.filter((action) => !allowed.includes(action))]).toEqual([id, []]);
    }
  });
});

/** Whether an ARN fits one of a policy, whose only `*` is at its end. */
const matches = (pattern: string, arn: string): boolean =>
  pattern.endsWith('*') ? arn.startsWith(pattern.slice(0, -1)) : arn === pattern;

describe('schedules', () => {
  const schedules = ofType(resources, 'AWS::Scheduler::Schedule');
  const targets = schedules.map(([, { Properties }]) => ({
    stage: stageOf(targetOf(Properties.Target.Arn)),
    input: JSON.parse(Properties.Target.Input),
    every: Properties.ScheduleExpression,
  }));

  test('invoke the tick every minute for scans and for sweeps, and auditor and canary separately', () => {
    expect(targets).toEqual([
      { stage: 'tick', input: { kind: 'scan' }, every: 'rate(1 minute)' },
      { stage: 'tick', input: { kind: 'sweep' }, every: 'rate(1 minute)' },
      { stage: 'auditor', input: {}, every: 'rate(10 minutes)' },
      { stage: 'canary', input: {}, every: 'cron(0/5 * * * ? *)' },
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

  test.each(schedules)('%s has its own role, which permits only its function', (id, { Properties }) => {
    const roleId = targetOf(Properties.Target.RoleArn);
    const users = schedules.filter(([, one]) => targetOf(one.Properties.Target.RoleArn) === roleId);
    expect(users.map(([user]) => user)).toEqual([id]);
    expect(statementsOf(resources, roleId)).toEqual([
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
