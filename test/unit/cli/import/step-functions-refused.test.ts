import { importFromStepFunctions } from '../../../../cli/import/step-functions/translate';

type Json = Record<string, unknown>;
const LAMBDA = 'arn:aws:lambda:eu-central-1:111122223333:function';
const call = (name: string, fields: Json = {}): Json => ({
  Type: 'Task',
  Resource: `${LAMBDA}:${name}`,
  End: true,
  ...fields,
});
/** Why a machine of this one state is refused. */
const reasonsOf = (state: Json): string[] =>
  importFromStepFunctions(
    { StartAt: 'S', States: { S: state, T: call('t'), U: { Type: 'Succeed' } } },
    'm',
    'm',
  ).refused.map(({ source, reason }) => `${source.replace('m: ', '')}: ${reason}`);

const HERE = (service: string) => `arn:aws:${service}:eu-central-1:111122223333`;
const MACHINE = `${HERE('states')}:stateMachine:m`;
const sync = (service: string, Parameters: Json, fields: Json = {}): Json => ({
  Type: 'Task',
  Resource: `arn:aws:states:::${service}`,
  Parameters,
  End: true,
  ...fields,
});

const ALL = ['States.ALL'];
const invoke = (args: Json, fields: Json = {}): Json => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Parameters: { FunctionName: `${LAMBDA}:f`, ...args },
  End: true,
  ...fields,
});

test.each<[string, Json, string]>([
  [
    'one retrier of several',
    call('a', { Retry: [{ ErrorEquals: ['E'], MaxAttempts: 0 }, { ErrorEquals: ALL }] }),
    'S: Retry tells errors apart (E, States.ALL)',
  ],
  [
    'errors by name',
    call('a', { Retry: [{ ErrorEquals: ['Lambda.TooManyRequestsException'] }] }),
    'S: Retry tells',
  ],
  [
    'too many attempts',
    call('a', { Retry: [{ ErrorEquals: ALL, MaxAttempts: 500 }] }),
    'S: Retry goes beyond',
  ],
  ['a delay of days', call('a', { Retry: [{ ErrorEquals: ALL, MaxAttempts: 30 }] }), 'S: Retry goes beyond'],
  [
    'a handler of one error',
    call('a', { Catch: [{ ErrorEquals: ['E'], Next: 'T' }] }),
    'S: Catch tells errors apart',
  ],
  [
    'a handler that takes the error',
    call('a', { Catch: [{ ErrorEquals: ALL, Next: 'T' }] }),
    'T: the error of S',
  ],
  [
    'two versions',
    invoke({ FunctionName: `${LAMBDA}:f:live`, Qualifier: '7' }),
    `S: the function "${LAMBDA}:f:live:7" is not a whole ARN of a function`,
  ],
  ['an event', invoke({ InvocationType: 'Event' }), 'S: InvocationType Event has no counterpart'],
  [
    'the name of a function',
    invoke({ FunctionName: 'f' }),
    'S: the function "f" is not a whole ARN of a function',
  ],
  [
    'metadata of a call',
    invoke({}, { ResultSelector: { 's.$': '$.StatusCode' } }),
    'S: the metadata of a call',
  ],
  [
    'the ARN of the execution',
    call('a', { Parameters: { 'id.$': '$$.Execution.Id' } }),
    'S: $$.Execution.Id',
  ],
  ['another JSONPath', call('a', { InputPath: '$..a' }), 'S: the path $..a is not translated'],
  ['JSONata in a state', call('a', { QueryLanguage: 'JSONata' }), 'S: it uses JSONata'],
  ['fields of JSONata', call('a', { Arguments: { a: '{% 1 %}' } }), 'S: Arguments is a field of JSONata'],
  ['a field of another type', call('a', { InputPath: 5 }), 'S: InputPath is 5, and no text'],
  ['a type of state', { Type: 'Loop', End: true }, 'S: the type "Loop" is not known'],
  ['a wait of months', { Type: 'Wait', Seconds: 9_999_999, End: true }, 'S: it waits for 9999999 s'],
  [
    'a text as a message',
    {
      Type: 'Task',
      Resource: 'arn:aws:states:::sqs:sendMessage',
      Parameters: {
        QueueUrl: 'https://sqs.eu-central-1.amazonaws.com/111122223333/q',
        'MessageBody.$': '$.a',
      },
      End: true,
    },
    'S: MessageBody may be a text, and what is sent here is JSON',
  ],
  [
    'an output as text',
    sync(
      'states:startExecution.sync',
      { StateMachineArn: MACHINE },
      { End: undefined, OutputPath: '$.Output', Next: 'T' },
    ),
    'T: Output is a text with JSON in it: use startExecution.sync:2',
  ],
  [
    'a machine that a path names',
    sync('states:startExecution.sync:2', { 'StateMachineArn.$': '$.machine' }),
    'S: a path names what it starts',
  ],
  [
    'a name without its region',
    sync('glue:startJobRun.sync', { JobName: 'etl' }),
    'S: "job/etl" is no whole ARN',
  ],
  [
    'an image of a task',
    sync('ecs:runTask.sync', {
      Cluster: `${HERE('ecs')}:cluster/jobs`,
      TaskDefinition: `${HERE('ecs')}:task-definition/report:7`,
      Overrides: { TaskRoleArn: 'arn:aws:iam::111122223333:role/admin' },
    }),
    'S: its input overrides taskRoleArn',
  ],
  [
    'a size of a job',
    sync('batch:submitJob.sync', {
      JobName: 'j',
      JobQueue: `${HERE('batch')}:job-queue/q`,
      JobDefinition: `${HERE('batch')}:job-definition/d:1`,
      ArrayProperties: { Size: 9 },
    }),
    'S: its call of AWS has arrayProperties',
  ],
  [
    'a handler of branches',
    {
      Type: 'Parallel',
      Branches: [{ StartAt: 'A', States: { A: call('a') } }],
      Catch: [{ ErrorEquals: ALL, Next: 'U' }],
      End: true,
    },
    'S: Catch abandons the other branches',
  ],
  [
    'items of which one fails',
    { Type: 'Map', ItemProcessor: { StartAt: 'A', States: { A: call('a') } }, End: true },
    'S: an item that fails ends the state',
  ],
])('what would run otherwise is refused with its state: %s', (_, state, reason) => {
  expect(reasonsOf(state).join('\n')).toContain(reason);
});

test('a field that only one of the ways makes is refused where it is selected, even if nothing reads it', () => {
  const { refused } = importFromStepFunctions(
    {
      StartAt: 'C',
      States: {
        C: { Type: 'Choice', Choices: [{ Variable: '$.a', IsPresent: true, Next: 'T' }], Default: 'S' },
        S: { ...call('s'), End: undefined, ResultPath: '$.r', Next: 'D' },
        D: { Type: 'Choice', Choices: [{ Variable: '$.b', IsPresent: true, Next: 'T' }], Default: 'T' },
        T: { ...call('t'), InputPath: '$.a', ResultPath: null, OutputPath: '$.r' },
      },
    },
    'm',
    'm',
  );
  expect(refused).toEqual([
    { source: 'm: T', reason: expect.stringContaining('depends on the way that led here') },
  ]);
});
