import { TickEvent } from '../../lambdas/core/contracts/messages';
import { LANES } from '../../lambdas/core/contracts/pools';
import { errandsOf } from '../../lib/constructs/watcher-function';
import { longestOf } from '../../lib/limits/longest';
import { inEachDeployment } from './maximal';
import { listOf, referencesIn, statementsOf } from './statements';
import { functionOf, ofType, STAGES, targetOf } from './synth';

/** Whether an ARN fits one of a policy, whose only `*` is at its end. */
const matches = (pattern: string, arn: string): boolean =>
  pattern.endsWith('*') ? arn.startsWith(pattern.slice(0, -1)) : arn === pattern;

inEachDeployment(({ config, resources }) => {
  /** The function that a mapping invokes: itself, or by its alias. */
  const functionBehind = ({ FunctionName }: Record<string, any>): string => {
    const [id = ''] = referencesIn(FunctionName);
    const { Type, Properties } = resources.get(id)!;
    return Type === 'AWS::Lambda::Alias' ? targetOf(Properties.FunctionName) : id;
  };
  // That of a stream has other rules: `follower.test.ts`.
  const mappings = ofType(resources, 'AWS::Lambda::EventSourceMapping').filter(
    ([, { Properties }]) => Properties.StartingPosition === undefined,
  );

  test('event source mappings invoke scanner, sweeper, watcher, and the two executors of each pool', () => {
    const invoked = mappings.map(([, { Properties }]) => [
      targetOf(Properties.EventSourceArn).replace(/Queue[0-9A-F]{8}$/, ''),
      functionBehind(Properties).replace(/Function[0-9A-F]{8}$/, ''),
    ]);
    const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
    const ofPools = Object.keys(config.pools).flatMap((pool) => {
      const name = pool === 'default' ? '' : capital(pool);
      return LANES.map((lane) => [
        `Executions${name}${capital(lane)}`,
        `Stages${lane === 'long' ? 'LongExecutor' : 'Executor'}${name}`,
      ]);
    });
    const watched = errandsOf(config).length > 0 ? { Watch: 'StagesWatcher' } : {};
    const traced = config.otlp ? { Spans: 'StagesExporter' } : {};
    expect(Object.fromEntries(invoked)).toEqual({
      ...Object.fromEntries(ofPools),
      RequestsScan: 'StagesScanner',
      RequestsSweep: 'StagesSweeper',
      ...watched,
      ...traced,
    });
    expect(invoked).toHaveLength(ofPools.length + 2 + Object.keys({ ...watched, ...traced }).length);
  });

  test.each(mappings)(
    '%s reports single failures, has no batching window and limits concurrency',
    (_id, { Properties }) => {
      const takes = /Executor|Watcher/.test(functionBehind(Properties)) ? 10 : 1;
      const takesFive = functionBehind(Properties).startsWith('StagesExporter');
      expect(Properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
      expect(Properties.BatchSize).toBe(takesFive ? 5 : takes);
      expect(Properties.MaximumBatchingWindowInSeconds ?? 0).toBe(0);
      const bounds = [
        Properties.ScalingConfig?.MaximumConcurrency,
        Properties.ProvisionedPollerConfig?.MaximumPollers,
      ];
      expect(bounds.filter((one) => one >= 2)).toHaveLength(1);
    },
  );

  test.each(mappings)(
    '%s has a queue whose visibility timeout is six times the function timeout',
    (_id, { Properties }) => {
      const queue = resources.get(targetOf(Properties.EventSourceArn));
      const consumer = resources.get(functionBehind(Properties));
      expect(queue?.Properties.VisibilityTimeout).toBe(6 * consumer?.Properties.Timeout);
    },
  );

  test('executors, scanner and sweeper poll under roles that permit it', () => {
    const within = { stackName: `Quarterjack-${config.stage}`, resources };
    const polling = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
    for (const [id, { Properties }] of mappings) {
      const queue = longestOf(Properties.EventSourceArn, within) as string;
      const invoked = resources.get(functionBehind(Properties))!.Properties;
      const allowed = statementsOf(resources, targetOf(invoked.Role))
        .filter(({ Resource }) =>
          listOf(Resource).some((one) => matches(longestOf(one, within) as string, queue)),
        )
        .flatMap(({ Action }) => listOf(Action));
      expect([id, polling.filter((action) => !allowed.includes(action))]).toEqual([id, []]);
    }
  });

  describe('schedules', () => {
    const schedules = ofType(resources, 'AWS::Scheduler::Schedule');
    const targets = schedules.map(([, { Properties }]) => ({
      stage: STAGES.find((stage) => functionOf(resources, stage)[0] === targetOf(Properties.Target.Arn)),
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
});
