import type { Json } from '../json';

/**
 * What becomes of a field of the Amazon States Language.
 *
 * - `mapped`: the translation reads it, and refuses the values that have no counterpart.
 * - `silent`: it changes nothing in an execution.
 * - `refused`: it has no counterpart. The text says why.
 *
 * A field that is not listed is refused, too.
 */
export type Rule = 'mapped' | 'silent' | { refused: string };

const refused = (why: string): Rule => ({ refused: why });

const JSONATA = refused('is a field of JSONata: only JSONPath is translated');
const VARIABLES = refused('sets variables of Step Functions: name the output of the task instead');
const TASK_TOKEN = refused('bounds the silence of a worker: use a target with mode async');
const TIMED_BY_INPUT = refused('takes a time from the input: the times of a task are fixed');
const BOUND_BY_INPUT = refused('takes a bound from the input: the bounds of a fan-out are fixed');
const BATCHES = refused('batches items: use the filter chunk, or a Lambda function');

/** Every state but Fail has these. */
const COMMON = {
  Type: 'mapped',
  Comment: 'silent',
  QueryLanguage: 'mapped',
  InputPath: 'mapped',
  OutputPath: 'mapped',
  Output: JSONATA,
  Assign: VARIABLES,
} as const satisfies Record<string, Rule>;

const NEXT = { Next: 'mapped', End: 'mapped' } as const satisfies Record<string, Rule>;

/** States that make a result have these. */
const RESULT = {
  ResultPath: 'mapped',
  ResultSelector: 'mapped',
  Parameters: 'mapped',
  Arguments: JSONATA,
  Retry: 'mapped',
  Catch: 'mapped',
} as const satisfies Record<string, Rule>;

const OPERATORS = ['Equals', 'GreaterThan', 'GreaterThanEquals', 'LessThan', 'LessThanEquals'] as const;
const ofEach = (names: readonly string[], rule: Rule): Record<string, Rule> =>
  Object.fromEntries(names.map((name) => [name, rule]));

const TEXT_ORDER = refused('orders texts: a switch compares texts for equality alone');
const TIMES = refused('compares times: a switch compares numbers and equality alone');
const TWO_VALUES = refused('compares two values of the input: a switch compares with a fixed value');

/** Fields by the object that they belong to: a kind of state, a part of one, or arguments of a service. */
export const FIELDS = {
  machine: {
    Comment: 'mapped',
    StartAt: 'mapped',
    States: 'mapped',
    TimeoutSeconds: 'mapped',
    QueryLanguage: 'mapped',
    Version: 'silent',
  },
  branch: { Comment: 'silent', StartAt: 'mapped', States: 'mapped', QueryLanguage: 'mapped' },
  processor: {
    Comment: 'silent',
    StartAt: 'mapped',
    States: 'mapped',
    QueryLanguage: 'mapped',
    ProcessorConfig: 'mapped',
  },
  processorConfig: { Mode: 'mapped', ExecutionType: 'mapped' },
  Task: {
    ...COMMON,
    ...NEXT,
    ...RESULT,
    Resource: 'mapped',
    TimeoutSeconds: 'mapped',
    TimeoutSecondsPath: TIMED_BY_INPUT,
    HeartbeatSeconds: TASK_TOKEN,
    HeartbeatSecondsPath: TASK_TOKEN,
    Credentials: refused('assumes a role: the operator of a deployment names the roles of a project'),
  },
  Pass: { ...COMMON, ...NEXT, Result: 'mapped', ResultPath: 'mapped', Parameters: 'mapped' },
  Wait: {
    ...COMMON,
    ...NEXT,
    Seconds: 'mapped',
    Timestamp: 'mapped',
    SecondsPath: refused('takes a time from the input: a delay is fixed; TimestampPath has a counterpart'),
    TimestampPath: 'mapped',
  },
  Choice: { ...COMMON, Choices: 'mapped', Default: 'mapped' },
  Succeed: COMMON,
  Fail: {
    Type: 'mapped',
    Comment: 'silent',
    QueryLanguage: 'mapped',
    Error: 'mapped',
    Cause: 'mapped',
    ErrorPath: 'mapped',
    CausePath: 'mapped',
  },
  Parallel: { ...COMMON, ...NEXT, ...RESULT, Branches: 'mapped' },
  Map: {
    ...COMMON,
    ...NEXT,
    ...RESULT,
    ItemsPath: 'mapped',
    ItemSelector: 'mapped',
    ItemProcessor: 'mapped',
    Iterator: 'mapped',
    MaxConcurrency: 'mapped',
    ToleratedFailureCount: 'mapped',
    ToleratedFailurePercentage: 'mapped',
    Label: 'silent',
    Items: JSONATA,
    ItemReader: refused('reads items from S3: let a task before it return the list'),
    ItemBatcher: BATCHES,
    ResultWriter: refused('writes results to S3: a fan-out keeps them in its output'),
    MaxConcurrencyPath: BOUND_BY_INPUT,
    ToleratedFailureCountPath: BOUND_BY_INPUT,
    ToleratedFailurePercentagePath: BOUND_BY_INPUT,
  },
  retrier: {
    Comment: 'silent',
    ErrorEquals: 'mapped',
    IntervalSeconds: 'mapped',
    MaxAttempts: 'mapped',
    BackoffRate: 'mapped',
    MaxDelaySeconds: 'mapped',
    JitterStrategy: 'mapped',
  },
  catcher: {
    Comment: 'silent',
    ErrorEquals: 'mapped',
    Next: 'mapped',
    ResultPath: 'mapped',
    Output: JSONATA,
    Assign: VARIABLES,
  },
  rule: {
    Comment: 'silent',
    Next: 'mapped',
    Variable: 'mapped',
    And: 'mapped',
    Or: 'mapped',
    Not: 'mapped',
    Condition: JSONATA,
    Output: JSONATA,
    Assign: VARIABLES,
    StringEquals: 'mapped',
    BooleanEquals: 'mapped',
    ...ofEach(
      OPERATORS.map((operator) => `Numeric${operator}`),
      'mapped',
    ),
    ...ofEach(['IsPresent', 'IsNull', 'IsString', 'IsNumeric', 'IsBoolean'], 'mapped'),
    IsTimestamp: TIMES,
    StringMatches: refused('compares with a pattern: a switch compares texts for equality alone'),
    ...ofEach(
      OPERATORS.slice(1).map((operator) => `String${operator}`),
      TEXT_ORDER,
    ),
    ...ofEach(
      OPERATORS.map((operator) => `Timestamp${operator}`),
      TIMES,
    ),
    ...ofEach(
      ['String', 'Numeric', 'Timestamp'].flatMap((type) =>
        OPERATORS.map((operator) => `${type}${operator}Path`),
      ),
      TWO_VALUES,
    ),
    BooleanEqualsPath: TWO_VALUES,
  },
  'lambda:invoke': {
    FunctionName: 'mapped',
    Payload: 'mapped',
    Qualifier: 'mapped',
    InvocationType: 'mapped',
    LogType: refused('adds the log to the result: the result is what the function returns'),
    ClientContext: refused('is where a delivery has its ids'),
  },
  'http:invoke': {
    ApiEndpoint: 'mapped',
    Method: 'mapped',
    RequestBody: 'mapped',
    Headers: 'mapped',
    QueryParameters: 'mapped',
    Authentication: 'mapped',
    InvocationConfig: 'mapped',
    Transform: refused('encodes the body: a body is JSON'),
  },
  'sqs:sendMessage': {
    QueueUrl: 'mapped',
    MessageBody: 'mapped',
    DelaySeconds: refused('has no counterpart in the target: put a delay on the task, or on the queue'),
    MessageAttributes: refused('has no counterpart: the attributes of a message are the ids of its delivery'),
    MessageSystemAttributes: refused('has no counterpart: the attributes are the ids of the delivery'),
    MessageGroupId: refused('has no counterpart: the group of a message is its job'),
    MessageDeduplicationId: refused('has no counterpart: a message is named by its execution'),
  },
  'sns:publish': {
    TopicArn: 'mapped',
    Message: 'mapped',
    TargetArn: refused('has no counterpart: use TopicArn'),
    PhoneNumber: refused('has no counterpart: a target is a topic'),
    Subject: refused('has no counterpart: a message has no subject'),
    MessageStructure: refused('has no counterpart: all subscribers get one message'),
    MessageAttributes: refused('has no counterpart: the attributes of a message are the ids of its delivery'),
    MessageGroupId: refused('has no counterpart: the group of a message is its job'),
    MessageDeduplicationId: refused('has no counterpart: a message is named by its execution'),
  },
  'states:startExecution': {
    StateMachineArn: 'mapped',
    Input: 'mapped',
    Name: refused('has no counterpart: an execution is named by the id of its delivery'),
    TraceHeader: refused('has no counterpart: a delivery has no trace of X-Ray'),
  },
} as const satisfies Record<string, Record<string, Rule>>;

export type Kind = keyof typeof FIELDS;

/** Why an object cannot be translated, by the names of its fields: one reason each. */
export function faultsOf(kind: Kind, json: Json): string[] {
  const rules: Record<string, Rule> = FIELDS[kind];
  return Object.keys(json).flatMap((given) => {
    // A field of a template that takes its value from a path.
    const name = kind.includes(':') ? given.replace(/\.\$$/, '') : given;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) return [`${given} is no field that this import knows`];
    return typeof rule === 'string' ? [] : [`${name} ${rule.refused}`];
  });
}
