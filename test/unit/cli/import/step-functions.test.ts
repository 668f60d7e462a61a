import { WorkflowBody } from '../../../../lambdas/core/http/workflow';
import { importFromStepFunctions } from '../../../../cli/import/step-functions/translate';

const LAMBDA = 'arn:aws:lambda:eu-central-1:111122223333:function';
type Json = Record<string, unknown>;

const imported = (machine: Json, options?: { partial?: boolean }) => {
  const found = importFromStepFunctions(machine, 'etl.asl.json', 'etl', options);
  const workflow = found.jobs[0]?.definition.workflow as { tasks: Record<string, Json>; params?: object };
  return { ...found, workflow, faults: found.jobs[0] && WorkflowBody.safeParse(workflow).error?.issues };
};
const call = (name: string, fields: Json = {}): Json => ({
  Type: 'Task',
  Resource: `${LAMBDA}:${name}`,
  End: true,
  ...fields,
});
/** An order: reserved and charged side by side, shipped or refunded. */
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
      Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Reject' }],
      ResultPath: '$.valid',
      Next: 'Both',
    },
    Reject: {
      Type: 'Task',
      Resource: 'arn:aws:states:::sns:publish',
      Parameters: {
        TopicArn: 'arn:aws:sns:eu-central-1:111122223333:rejected',
        Message: { 'id.$': '$.orderId' },
      },
      Next: 'Rejected',
    },
    Rejected: { Type: 'Fail', Error: 'Rejected', Cause: 'not valid' },
    Both: {
      Type: 'Parallel',
      ResultPath: null,
      Next: 'Cool down',
      Branches: [
        {
          StartAt: 'Reserve',
          States: { Reserve: call('reserve', { Parameters: { 'id.$': '$.orderId' } }) },
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
      Choices: [{ Variable: '$.valid.amount', NumericGreaterThan: 1000, Next: 'Label' }],
      Default: 'Done',
    },
    Label: call('label', { InputPath: '$.parcel' }),
    Done: { Type: 'Succeed' },
  },
};

test('a state machine becomes a workflow that the API accepts', () => {
  const { jobs, refused, workflow, faults } = imported(ORDERS);
  expect([refused, faults]).toEqual([[], undefined]);
  expect(jobs[0]).toMatchObject({
    jobId: 'etl',
    definition: { name: 'Orders', timeout: '3600s', schedule: { type: 'none' } },
  });
  expect(jobs[0]).not.toHaveProperty('paused');
  expect(workflow).toMatchObject({ params: { input: {} }, onTaskFailure: 'cancel' });
  expect(workflow.tasks).toMatchObject({
    'Validate-order': {
      target: { type: 'lambda', functionArn: `${LAMBDA}:validate` },
      input: '{{ params.input }}',
      allowFailure: true,
      timeout: '30s',
      retry: { maxAttempts: 5, initialDelay: '2s', multiplier: 1.5, jitter: 'none', maxDelay: '86400s' },
    },
    'Validate-order-end': {
      dependsOn: [{ task: 'Validate-order' }],
      switch: { on: '{{ tasks.Validate-order.status }}', default: 'succeeded' },
    },
    Reject: {
      dependsOn: [{ task: 'Validate-order-end', branch: 'failed' }],
      target: { type: 'sns' },
      input: { id: '{{ params.input.orderId }}' },
    },
    Rejected: { when: { value: 'Fail: Rejected: not valid', gt: 0 } },
    Reserve: {
      dependsOn: [{ task: 'Validate-order-end', branch: 'succeeded' }],
      input: { id: '{{ params.input.orderId }}' },
    },
    Charge: { input: { amount: '{{ tasks.Validate-order.output.amount }}', by: 'etl' } },
    Both: { dependsOn: [{ task: 'Reserve' }, { task: 'Charge' }] },
    'Cool-down': { dependsOn: [{ task: 'Both' }], delay: '600s' },
    'Large-': { switch: { on: '{{ tasks.Validate-order.output.amount | json | slice(0, 1) }}' } },
    'Large--2': {
      dependsOn: [{ task: 'Large-', branch: 'case-1' }],
      switch: { on: '{{ tasks.Validate-order.output.amount }}', cases: [{ branch: 'case-1', gt: 1000 }] },
    },
    Label: { dependsOn: [{ task: 'Large--2', branch: 'case-1' }], input: '{{ params.input.parcel }}' },
  });
  expect(Object.keys(workflow.tasks)).not.toContain('Done');
});

const UNTRANSLATABLE = {
  StartAt: 'Ask',
  States: {
    Ask: { Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken', Next: 'Sum' },
    Sum: call('sum', { Parameters: { 'n.$': 'States.MathAdd($.a, 1)' }, End: undefined, Next: 'Go' }),
    Go: { Type: 'Choice', Choices: [{ Variable: '$.a', StringMatches: 'a*', Next: 'Stop' }] },
    Stop: { Type: 'Fail', Error: 'x' },
  },
};

const invoked = (Parameters: Json): Json => ({ Resource: 'arn:aws:states:::lambda:invoke', Parameters });

test.each<[string, Json, string]>([
  [':live in the ARN', { Resource: `${LAMBDA}:f:live` }, 'live'],
  [':$LATEST in the ARN', { Resource: `${LAMBDA}:f:$LATEST` }, '$LATEST'],
  ['a Qualifier', invoked({ FunctionName: `${LAMBDA}:f`, Qualifier: '7' }), '7'],
  ['an alias in the FunctionName', invoked({ FunctionName: `${LAMBDA}:f:live` }), 'live'],
])('a version or alias is kept: %s', (_, state, qualifier) => {
  const machine = { StartAt: 'S', States: { S: { Type: 'Task', End: true, ...state } } };
  const { jobs, refused } = importFromStepFunctions(machine, 'm', 'm');
  expect(refused).toEqual([]);
  expect(JSON.stringify(jobs[0]!.definition)).toContain(`"functionArn":"${LAMBDA}:f:${qualifier}"`);
});

test('a machine that is not translated as a whole is named by its states, and becomes no job', () => {
  const { jobs, refused } = imported(UNTRANSLATABLE);
  expect(jobs).toEqual([]);
  expect(refused.map(({ source, reason }) => `${source}: ${reason.slice(0, 30)}`)).toEqual([
    'etl.asl.json: Ask: sqs:sendMessage.waitForTaskTok',
    'etl.asl.json: Sum: the intrinsic function States.',
    'etl.asl.json: Go: Choices: StringMatches compare',
  ]);
});

test('in part, it becomes a paused job that says so, and what is missing keeps its place', () => {
  const { jobs, refused, faults, workflow } = imported(UNTRANSLATABLE, { partial: true });
  expect(refused).toHaveLength(3);
  expect(jobs[0]!.paused).toBe(true);
  expect(jobs[0]!.notes[0]).toContain('imported in part, and paused');
  expect(workflow.tasks.Sum).toMatchObject({
    dependsOn: [{ task: 'Ask' }],
    note: /^not imported: the intri/,
  });
  expect(faults).toBeUndefined();
});

test.each([
  [{ QueryLanguage: 'JSONata', StartAt: 'A', States: { A: call('a') } }, 'it uses JSONata'],
  [{ States: {} }, 'it is no state machine'],
  [{ StartAt: 'A', States: { A: { Type: 'Pass' } } }, 'A needs Next, or an End that is true'],
  [{ StartAt: 'A', States: { A: { Type: 'Pass', Next: 'B' } } }, 'A leads to B, which is no state'],
  [{ StartAt: 'A', TimeoutSeconds: 5, States: { A: call('a') } }, 'a run has at least a minute'],
  [{ name: 'm', definition: '{}' }, 'it is no state machine'],
  [
    {
      StartAt: 'S0',
      States: Object.fromEntries(
        Array.from({ length: 1_001 }, (_, at) => [
          `S${at}`,
          call('a', at < 1_000 ? { End: undefined, Next: `S${at + 1}` } : {}),
        ]),
      ),
    },
    'it needs 1001 tasks; a workflow has at most 1000',
  ],
  [{ StartAt: 'A', States: { A: call('a') }, Colour: 1 }, 'Colour is no field that this import knows'],
  [
    { StartAt: 'A', States: { A: call('a', { Resource: { 'Fn::GetAtt': ['F', 'Arn'] } }) } },
    'CloudFormation',
  ],
  [
    {
      StartAt: 'A',
      States: { A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Wait', Seconds: 1, Next: 'A' } },
    },
    'B leads back to A: a run of a workflow has no loops',
  ],
])('a machine that cannot be imported at all says why: %#', (machine, reason) => {
  const { jobs, refused } = imported(machine, { partial: true });
  expect(jobs).toEqual([]);
  expect(refused).toEqual([{ source: 'etl.asl.json', reason: expect.stringContaining(reason) }]);
});

test('a call of HTTP keeps its query and its headers, and retries the statuses that it names', () => {
  const { refused, workflow, faults, jobs } = imported({
    StartAt: 'Ask',
    States: {
      Ask: {
        Type: 'Task',
        Resource: 'arn:aws:states:::http:invoke',
        Parameters: {
          ApiEndpoint: 'https://example.com/ask',
          Method: 'GET',
          Headers: { 'x-tenant.$': '$.tenant' },
          QueryParameters: { day: 'a b', 'id.$': '$.id' },
          RequestBody: {},
          Authentication: { ConnectionArn: 'arn:aws:events:eu-central-1:111122223333:connection/c' },
        },
        Retry: [
          {
            ErrorEquals: [
              'States.Http.StatusCode.429',
              'States.Http.StatusCode.503',
              'States.Timeout',
              'States.Http.Socket',
            ],
            MaxDelaySeconds: 20,
            JitterStrategy: 'FULL',
          },
        ],
        End: true,
      },
    },
  });
  expect([refused, faults]).toEqual([[], undefined]);
  expect(workflow.tasks.Ask).toMatchObject({
    target: {
      url: 'https://example.com/ask?day=a%20b&id={{ params.input.id }}',
      headers: { 'x-tenant': '{{ params.input.tenant }}' },
      timeout: '60s',
    },
    retry: { maxAttempts: 4, initialDelay: '1s', maxDelay: '20s', jitter: 'full', on: [429, 503] },
  });
  expect(jobs[0]!.notes.join('\n')).toContain('Ask: its connection is not imported');
});

test('without a time-out, States.TaskFailed names every failure', () => {
  const handles = {
    Retry: [{ ErrorEquals: ['States.TaskFailed'], MaxAttempts: 1 }],
    Catch: [{ ErrorEquals: ['States.TaskFailed'], ResultPath: null, Next: 'U' }],
  };
  const refusedOf = (state: Json) =>
    imported({ StartAt: 'S', States: { S: call('a', state), U: { Type: 'Succeed' } } }).refused;
  expect(refusedOf(handles)).toEqual([]);
  expect(refusedOf({ ...handles, TimeoutSeconds: 9 })).toHaveLength(2);
});

test('in part, errors that a retry cannot tell apart are not retried', () => {
  const retry = [{ ErrorEquals: ['Lambda.ServiceException'], MaxAttempts: 6 }];
  const { workflow } = imported(
    { StartAt: 'S', States: { S: call('a', { Retry: retry }) } },
    { partial: true },
  );
  expect(workflow.tasks.S).toMatchObject({ retry: { maxAttempts: 1 } });
});

test('a Map whose items need one call becomes a fan-out', () => {
  const { refused, workflow, faults } = imported({
    StartAt: 'Labels',
    States: {
      Labels: {
        Type: 'Map',
        ItemsPath: '$.parcels',
        MaxConcurrency: 5,
        ToleratedFailurePercentage: 100,
        ItemSelector: { 'parcel.$': '$$.Map.Item.Value', 'n.$': '$$.Map.Item.Index', 'order.$': '$.id' },
        ItemProcessor: { StartAt: 'Label', States: { Label: call('label', { TimeoutSeconds: 5 }) } },
        End: true,
      },
    },
  });
  expect([refused, faults]).toEqual([[], undefined]);
  expect(workflow.tasks.Labels).toMatchObject({
    forEach: { items: '{{ params.input.parcels }}', concurrency: 5, tolerate: '100%' },
    input: { parcel: '{{ item }}', n: '{{ index }}', order: '{{ params.input.id }}' },
    timeout: '5s',
  });
});
