import type { Kind } from '../../../cli/import/step-functions/fields';

export type Json = Record<string, unknown>;

const LAMBDA = 'arn:aws:lambda:eu-central-1:111122223333:function:f';
const QUEUE = 'https://sqs.eu-central-1.amazonaws.com/111122223333/q';
const ENDED = { End: true };

const TASK = { Type: 'Task', Resource: LAMBDA, ...ENDED };
const TAIL = { Type: 'Task', Resource: LAMBDA, End: true };
const service = (name: string, args: Json): Json => ({
  Type: 'Task',
  Resource: `arn:aws:states:::${name}`,
  Parameters: args,
  ResultPath: null,
  ...ENDED,
});
const machineOf = (state: Json): Json => ({
  StartAt: 'S',
  States: {
    S: state.End === true ? { ...without(state, 'End'), Next: 'T' } : state,
    T: TAIL,
    U: { Type: 'Succeed' },
  },
});
const without = (json: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));

/** A whole object of each kind, and the machine in which it stands. */
export const WHOLE: Record<Kind, { base: Json; inMachine: (json: Json) => Json }> = {
  machine: { base: { StartAt: 'S', States: { S: TAIL } }, inMachine: (json) => json },
  branch: {
    base: { StartAt: 'A', States: { A: TAIL } },
    inMachine: (json) => machineOf({ Type: 'Parallel', Branches: [json], ResultPath: null, ...ENDED }),
  },
  processor: {
    base: { StartAt: 'A', States: { A: TAIL } },
    inMachine: (json) =>
      machineOf({
        Type: 'Map',
        ToleratedFailurePercentage: 100,
        ItemProcessor: json,
        ResultPath: null,
        ...ENDED,
      }),
  },
  processorConfig: {
    base: {},
    inMachine: (json) => WHOLE.processor.inMachine({ ...WHOLE.processor.base, ProcessorConfig: json }),
  },
  Task: { base: TASK, inMachine: machineOf },
  Pass: { base: { Type: 'Pass', ...ENDED }, inMachine: machineOf },
  Wait: { base: { Type: 'Wait', Seconds: 5, ...ENDED }, inMachine: machineOf },
  Choice: {
    base: { Type: 'Choice', Choices: [{ Variable: '$.a', IsPresent: true, Next: 'T' }], Default: 'U' },
    inMachine: machineOf,
  },
  Succeed: { base: { Type: 'Succeed' }, inMachine: machineOf },
  Fail: { base: { Type: 'Fail' }, inMachine: machineOf },
  Parallel: {
    base: { Type: 'Parallel', Branches: [{ StartAt: 'A', States: { A: TAIL } }], ...ENDED },
    inMachine: machineOf,
  },
  Map: {
    base: {
      Type: 'Map',
      ItemsPath: '$.list',
      ToleratedFailurePercentage: 100,
      ItemProcessor: { StartAt: 'A', States: { A: TAIL } },
      ResultPath: null,
      ...ENDED,
    },
    inMachine: machineOf,
  },
  retrier: {
    base: { ErrorEquals: ['States.ALL'], IntervalSeconds: 2 },
    inMachine: (json) => machineOf({ ...TASK, Retry: [json] }),
  },
  catcher: {
    base: { ErrorEquals: ['States.ALL'], Next: 'T', ResultPath: null },
    inMachine: (json) => machineOf({ ...TASK, ResultPath: null, Catch: [json] }),
  },
  rule: {
    base: { Variable: '$.a', Next: 'T' },
    inMachine: (json) => machineOf({ Type: 'Choice', Choices: [json], Default: 'U' }),
  },
  'lambda:invoke': {
    base: { FunctionName: LAMBDA },
    inMachine: (json) => machineOf(service('lambda:invoke', json)),
  },
  'http:invoke': {
    base: { ApiEndpoint: 'https://example.com/a', Method: 'POST', RequestBody: { a: 1 } },
    inMachine: (json) => machineOf(service('http:invoke', json)),
  },
  'sqs:sendMessage': {
    base: { QueueUrl: QUEUE, MessageBody: { a: 1 } },
    inMachine: (json) => machineOf(service('sqs:sendMessage', json)),
  },
  'sns:publish': {
    base: { TopicArn: 'arn:aws:sns:eu-central-1:111122223333:t', Message: { a: 1 } },
    inMachine: (json) => machineOf(service('sns:publish', json)),
  },
  'states:startExecution': {
    base: { StateMachineArn: 'arn:aws:states:eu-central-1:111122223333:stateMachine:m' },
    inMachine: (json) => machineOf(service('states:startExecution', json)),
  },
};

const ITERATOR = { StartAt: 'B', States: { B: { ...TAIL, Parameters: { b: 1 } } } };
const CATCH = [{ ErrorEquals: ['States.ALL'], Next: 'U', ResultPath: null }];
const RETRY = [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 7 }];

/** A value of each field that the translation reads: one that differs from the default. */
const VALUES: Record<string, unknown> = {
  Comment: 'a comment',
  StartAt: 'T',
  States: { S: { ...TAIL, TimeoutSeconds: 9 }, A: { ...TAIL, TimeoutSeconds: 9 } },
  TimeoutSeconds: 777,
  QueryLanguage: 'JSONata',
  ProcessorConfig: { Mode: 'DISTRIBUTED' },
  Mode: 'DISTRIBUTED',
  ExecutionType: 'EXPRESS',
  Type: 'Succeed',
  InputPath: '$.sub',
  OutputPath: '$.sub',
  Next: 'U',
  End: true,
  ResultPath: '$.r',
  ResultSelector: { 'x.$': '$.y' },
  Parameters: { p: 1 },
  Retry: RETRY,
  Catch: CATCH,
  Resource: `${LAMBDA}2`,
  Result: { r: 1 },
  Seconds: 6,
  Timestamp: '2026-12-01T08:00:00Z',
  TimestampPath: '$.at',
  Choices: [{ Variable: '$.b', IsPresent: true, Next: 'T' }],
  Default: 'T',
  Error: 'E',
  Cause: 'because',
  ErrorPath: '$.e',
  CausePath: '$.c',
  Branches: [{ StartAt: 'B', States: { B: { ...TAIL, TimeoutSeconds: 8 } } }],
  ItemsPath: '$.other',
  ItemSelector: { 'v.$': '$$.Map.Item.Value' },
  ItemProcessor: ITERATOR,
  Iterator: ITERATOR,
  MaxConcurrency: 3,
  ToleratedFailureCount: 2,
  ToleratedFailurePercentage: 50,
  ErrorEquals: ['My.Error'],
  IntervalSeconds: 5,
  MaxAttempts: 7,
  BackoffRate: 1.5,
  MaxDelaySeconds: 60,
  JitterStrategy: 'FULL',
  Variable: '$.other',
  And: [{ Variable: '$.b', IsNull: true }],
  Or: [{ Variable: '$.b', IsNull: true }],
  Not: { Variable: '$.b', IsNull: true },
  FunctionName: `${LAMBDA}2`,
  Payload: { a: 2 },
  Qualifier: 'live',
  InvocationType: 'Event',
  ApiEndpoint: 'https://example.com/b',
  Method: 'PUT',
  RequestBody: { a: 2 },
  Headers: { 'x-a': 'b' },
  QueryParameters: { q: 'a b' },
  QueueUrl: `${QUEUE}2`,
  MessageBody: { a: 2 },
  TopicArn: 'arn:aws:sns:eu-central-1:111122223333:u',
  Message: { a: 2 },
  StateMachineArn: 'arn:aws:states:eu-central-1:111122223333:stateMachine:n',
  Input: { a: 2 },
};

/** The value of a field of a rule follows from its name. */
export const valueOf = (kind: Kind, field: string): unknown => {
  if (kind === 'rule' && field.startsWith('Is')) return true;
  if (kind === 'rule' && /^(String|Timestamp|.*Path$)/.test(field)) return '$.b';
  if (kind === 'rule' && field.startsWith('Numeric')) return 2;
  if (kind === 'rule' && field.startsWith('Boolean')) return true;
  if (kind === 'machine' && field === 'States') return { S: { ...TAIL, TimeoutSeconds: 9 } };
  if ((kind === 'machine' || kind === 'branch' || kind === 'processor') && field === 'StartAt')
    return 'Nowhere';
  if (kind === 'Succeed' && field === 'Type') return 'Fail';
  return VALUES[field];
};

/** The object with the field, in place of those that exclude it. */
export function withField(kind: Kind, field: string): Json {
  const { base } = WHOLE[kind];
  const isTime = ['Seconds', 'Timestamp', 'TimestampPath'].includes(field);
  const excluded = [
    ...(isTime ? ['Seconds'] : []),
    ...(field === 'Next' ? ['End'] : []),
    ...(field === 'Iterator' ? ['ItemProcessor'] : []),
    ...(field === 'ToleratedFailureCount' ? ['ToleratedFailurePercentage'] : []),
    ...(['And', 'Or', 'Not'].includes(field) ? ['Variable'] : []),
    ...(field === 'OutputPath' && kind === 'Map' ? ['ResultPath'] : []),
  ];
  const isCompared = kind === 'rule' && ['Variable', 'Next', 'Comment'].includes(field);
  return {
    ...without(base, ...excluded),
    ...(isCompared && { IsPresent: true }),
    [field]: valueOf(kind, field),
  };
}
