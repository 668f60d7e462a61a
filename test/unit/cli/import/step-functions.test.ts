import { WorkflowBody } from '../../../../lambdas/core/http/workflow';
import { importFromStepFunctions } from '../../../../cli/import/step-functions/translate';

const LAMBDA = 'arn:aws:lambda:eu-central-1:111122223333:function';

const imported = (machine: Record<string, unknown>) => {
  const found = importFromStepFunctions(machine, 'etl.asl.json', 'etl');
  const workflow = found.jobs[0]?.definition.workflow as { tasks: Record<string, object>; params?: object };
  return { ...found, workflow, faults: found.jobs[0] && WorkflowBody.safeParse(workflow).error?.issues };
};

/** An order: reserved and charged side by side, shipped or refunded, each parcel labelled. */
const ORDERS = {
  Comment: 'Orders',
  StartAt: 'Validate order',
  TimeoutSeconds: 3600,
  States: {
    'Validate order': {
      Type: 'Task',
      Resource: `${LAMBDA}:validate`,
      TimeoutSeconds: 30,
      Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 2, MaxAttempts: 4, BackoffRate: 1.5 }],
      Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Reject' }],
      ResultPath: '$.valid',
      Next: 'Both',
    },
    Reject: {
      Type: 'Task',
      Resource: 'arn:aws:states:::sns:publish',
      Parameters: { TopicArn: 'arn:aws:sns:eu-central-1:111122223333:rejected', 'Message.$': '$.orderId' },
      End: true,
    },
    Both: {
      Type: 'Parallel',
      ResultPath: null,
      Next: 'Cool down',
      Branches: [
        {
          StartAt: 'Reserve',
          States: {
            Reserve: {
              Type: 'Task',
              Resource: `${LAMBDA}:reserve`,
              Parameters: { 'id.$': '$.orderId' },
              End: true,
            },
          },
        },
        {
          StartAt: 'Charge',
          States: {
            Charge: {
              Type: 'Task',
              Resource: 'arn:aws:states:::lambda:invoke',
              Parameters: {
                FunctionName: `${LAMBDA}:charge`,
                Payload: { 'amount.$': '$.valid.amount', by: 'etl' },
              },
              End: true,
            },
          },
        },
      ],
    },
    'Cool down': { Type: 'Wait', Seconds: 600, Next: 'Large?' },
    'Large?': {
      Type: 'Choice',
      Choices: [{ Variable: '$.valid.amount', NumericGreaterThan: 1000, Next: 'Labels' }],
      Default: 'Done',
    },
    Labels: {
      Type: 'Map',
      ItemsPath: '$.parcels',
      MaxConcurrency: 5,
      ItemProcessor: {
        StartAt: 'Label',
        States: { Label: { Type: 'Task', Resource: `${LAMBDA}:label`, End: true } },
      },
      Next: 'Done',
    },
    Done: { Type: 'Succeed' },
  },
};

test('a state machine becomes a workflow that the API accepts', () => {
  const { jobs, refused, workflow, faults } = imported(ORDERS);
  expect([refused, faults]).toEqual([[], undefined]);
  expect(jobs[0]).toMatchObject({
    jobId: 'etl',
    definition: { timeout: '3600s', schedule: { type: 'none' } },
  });
  expect(workflow.params).toEqual({ orderId: null, parcels: null });
  expect(workflow.tasks).toMatchObject({
    'Validate-order': {
      target: { type: 'lambda', functionArn: `${LAMBDA}:validate` },
      input: '{{ params }}',
      allowFailure: true,
      timeout: '30s',
      retry: { maxAttempts: 5, initialDelay: '2s', multiplier: 1.5, jitter: 'none' },
    },
    'Validate-order-ok': { when: { value: '{{ tasks.Validate-order.status }}', equals: 'succeeded' } },
    Reject: { dependsOn: [{ task: 'Validate-order', if: 'failed' }], target: { type: 'sns' } },
    Reserve: { dependsOn: ['Validate-order-ok'], input: { id: '{{ params.orderId }}' } },
    Charge: { input: { amount: '{{ tasks.Validate-order.output.amount }}', by: 'etl' } },
    Both: { dependsOn: [{ task: 'Reserve' }, { task: 'Charge' }] },
    'Cool-down': { dependsOn: ['Both'], delay: '600s' },
    'Large-': {
      switch: { on: '{{ tasks.Validate-order.output.amount }}', cases: [{ branch: 'case-1', gt: 1000 }] },
    },
    Labels: {
      dependsOn: [{ task: 'Large-', branch: 'case-1' }],
      forEach: { items: '{{ params.parcels }}', concurrency: 5 },
      input: '{{ item }}',
    },
  });
  expect(Object.keys(workflow.tasks)).not.toContain('Done');
});

test('what has no counterpart is named with its state, keeps its place, and pauses the job', () => {
  const { jobs, refused, faults, workflow } = imported({
    StartAt: 'Make',
    States: {
      Make: { Type: 'Pass', Result: { a: 1 }, Next: 'Ask' },
      Ask: { Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken', Next: 'Sum' },
      Sum: {
        Type: 'Task',
        Resource: `${LAMBDA}:sum`,
        Parameters: { 'n.$': 'States.MathAdd($.a, 1)' },
        Next: 'Go',
      },
      Go: { Type: 'Choice', Choices: [{ And: [], Next: 'Stop' }] },
      Stop: { Type: 'Fail', Error: 'x' },
    },
  });
  expect(refused.map(({ source, reason }) => `${source}: ${reason.slice(0, 30)}`)).toEqual([
    'etl.asl.json: Make: it makes a value: write the va',
    'etl.asl.json: Ask: sqs:sendMessage.waitForTaskTok',
    'etl.asl.json: Sum: the intrinsic function States.',
    'etl.asl.json: Go: its rules compare several valu',
    'etl.asl.json: Stop: a run fails if a task fails: l',
  ]);
  expect(jobs[0]!.paused).toBe(true);
  expect(workflow.tasks.Sum).toMatchObject({ dependsOn: ['Ask'] });
  expect(faults).toBeUndefined();
});

test.each([
  [{ QueryLanguage: 'JSONata', StartAt: 'A', States: {} }, 'it uses JSONata'],
  [{ States: {} }, 'it is no state machine'],
  [
    {
      StartAt: 'A',
      States: { A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Wait', Seconds: 1, Next: 'A' } },
    },
    'B leads back to A: a run of a workflow has no loops',
  ],
])('a machine that cannot be imported at all says why', (machine, reason) => {
  const { jobs, refused } = imported(machine);
  expect(jobs).toEqual([]);
  expect(refused).toEqual([{ source: 'etl.asl.json', reason: expect.stringContaining(reason) }]);
});
