import type { JobDefinition } from '../../../client/browser';
import type { Fields, FormField, KindRow, TextField } from './field';
import { MONITOR } from './monitor-kind';

type Target = NonNullable<JobDefinition['target']>;
type Auth = NonNullable<Extract<Target, { type: 'http' }>['auth']>;

interface TargetRow extends KindRow {
  /** It stands alone: it is none of several targets, and nothing that follows from an end. */
  isAlone?: true;
}

const given = (path: string, label: string, more: Partial<TextField> = {}): TextField => ({
  path,
  label,
  kind: 'text',
  isRequired: true,
  isWide: true,
  ...more,
});
const secret = (path: string, label: string, hint?: string): TextField => ({
  path,
  label,
  kind: 'secret',
  ...(hint !== undefined && { hint }),
});
const regions: TextField = { path: 'region', label: 'Region', kind: 'text', hint: 'eu-central-1' };

const AUTH: Record<Auth['type'], KindRow> = {
  bearer: { words: 'a bearer token', start: { type: 'bearer' }, fields: [secret('token', 'Token')] },
  basic: {
    words: 'a user name and a password',
    start: { type: 'basic' },
    fields: [secret('username', 'User name'), secret('password', 'Password')],
  },
  header: {
    words: 'a secret header',
    start: { type: 'header' },
    fields: [
      { path: 'name', label: 'Name of the header', kind: 'text', hint: 'X-Api-Key' },
      secret('value', 'Value of the header'),
    ],
  },
  oauth2: {
    words: 'OAuth 2.0 client credentials',
    start: { type: 'oauth2', tokenUrl: '' },
    fields: [
      given('tokenUrl', 'Address of the token', { hint: 'https://login.example.com/token' }),
      secret('clientId', 'Client id'),
      secret('clientSecret', 'Client secret'),
      { path: 'scope', label: 'Scope', kind: 'text' },
      { path: 'audience', label: 'Audience', kind: 'text' },
      {
        path: 'clientAuth',
        label: 'Client id and secret stand',
        kind: 'choice',
        usual: 'basic',
        values: [
          ['basic', 'in a header'],
          ['post', 'in the body'],
        ],
      },
    ],
  },
  aws: {
    words: 'a signature of AWS (SigV4)',
    start: { type: 'aws', service: 'execute-api', region: '' },
    fields: [
      {
        path: 'service',
        label: 'Service',
        kind: 'choice',
        values: [
          ['execute-api', 'API Gateway'],
          ['lambda', 'Lambda function URL'],
          ['vpc-lattice-svcs', 'VPC Lattice'],
          ['es', 'OpenSearch'],
          ['aoss', 'OpenSearch Serverless'],
          ['appsync', 'AppSync'],
        ],
      },
      { ...regions, isRequired: true },
    ],
  },
};

const isAsync = ({ mode }: Fields): boolean => mode === 'async';
/** How an attempt ends, for what can report later. */
const REPORTING: readonly FormField[] = [
  {
    path: 'mode',
    label: 'An attempt ends',
    kind: 'choice',
    usual: 'sync',
    values: [
      ['sync', 'with the answer'],
      ['async', 'with a later report'],
    ],
  },
  {
    path: 'heartbeatTimeout',
    label: 'Longest silence',
    kind: 'text',
    hint: 'between two heartbeats: 10m',
    isShown: (form) => isAsync(form) || form.heartbeatTimeout !== undefined,
  },
  {
    path: 'observe',
    label: 'It may send progress and log lines before its answer',
    kind: 'flag',
    isShown: (form) => !isAsync(form) || form.observe !== undefined,
  },
];

/** Fields of work whose end is waited for. */
const fatalErrors = (of: 'wait' | 'durable'): FormField => ({
  path: 'fatalErrors',
  label: 'Errors after which it is not tried again',
  kind: 'lines',
  hint: 'names, one a line',
  isShown: (form) => form[of] === true || form.fatalErrors !== undefined,
});
const LATER: Readonly<Record<'durable' | 'wait', readonly FormField[]>> = {
  durable: [
    { path: 'durable', label: 'The function is durable: wait for the end of its execution', kind: 'flag' },
    fatalErrors('durable'),
  ],
  wait: [
    { path: 'wait', label: 'Wait for the end of its execution, and end as it ends', kind: 'flag' },
    fatalErrors('wait'),
  ],
};

const environment = (hint: string): TextField => ({
  path: 'environment',
  label: 'Variables',
  kind: 'pairs',
  hint,
});
const CODES: TextField = {
  path: 'fatalExitCodes',
  label: 'Exit codes after which it is not tried again',
  kind: 'words',
  hint: '2 64',
};
const COMMAND: TextField = {
  path: 'command',
  label: 'Command',
  kind: 'lines',
  hint: 'one word a line; that of the definition if it is empty',
};
const MEMORY: TextField = { path: 'memory', label: 'Memory in MiB', kind: 'number' };
/** Every type of target of the API. A type without a row does not compile. */
export const TARGET_KINDS: Readonly<Record<Target['type'], TargetRow>> = {
  http: {
    words: 'HTTP request',
    start: { type: 'http', url: '' },
    fields: [
      given('url', 'URL', { hint: 'https://example.com/hook' }),
      {
        path: 'method',
        label: 'Method',
        kind: 'choice',
        usual: 'POST',
        values: (['POST', 'GET', 'PUT', 'PATCH', 'DELETE'] as const).map((one) => [one, one]),
      },
      { path: 'timeout', label: 'Time limit of a call', kind: 'text', usual: '30s' },
      {
        path: 'headers',
        label: 'Headers',
        kind: 'pairs',
        hint: 'Name: value or {{ secrets.NAME }}, one a line',
      },
      { path: 'auth', label: 'It knows its caller by', kind: 'one-of', kinds: AUTH, none: 'nothing' },
      secret('tls.certificate', 'Client certificate', 'for mutual TLS'),
      secret('tls.key', 'Key of the certificate'),
      secret('tls.ca', 'Its own authority', 'public ones if it is empty'),
      ...REPORTING,
      { path: 'keepResponse', label: 'Keep its whole answer in the log', kind: 'flag' },
      { path: 'cloudEvents', label: 'A delivery is an event of CloudEvents 1.0', kind: 'flag' },
    ],
  },
  worker: {
    words: 'Workers of a queue',
    isAlone: true,
    start: { type: 'worker', queue: '' },
    fields: [
      given('queue', 'Queue', { names: 'queues' }),
      { path: 'heartbeatTimeout', label: 'Lost after a silence of', kind: 'text', usual: '60s' },
      {
        path: 'startWithin',
        label: 'Waits at most',
        kind: 'text',
        hint: 'for a worker: 2h',
        usual: 'until it is due again, or 1d',
      },
    ],
  },
  monitor: MONITOR,
  lambda: {
    words: 'Lambda function',
    start: { type: 'lambda', functionArn: '' },
    fields: [
      given('functionArn', 'ARN of the function', { hint: 'or of a version or alias of it' }),
      ...REPORTING,
      ...LATER.durable,
    ],
  },
  sqs: {
    words: 'SQS queue',
    start: { type: 'sqs', queueUrl: '' },
    fields: [given('queueUrl', 'Address of the queue')],
  },
  sns: {
    words: 'SNS topic',
    start: { type: 'sns', topicArn: '' },
    fields: [given('topicArn', 'ARN of the topic')],
  },
  eventbridge: {
    words: 'EventBridge event',
    start: { type: 'eventbridge', eventBusName: 'default', source: '', detailType: '' },
    fields: [
      given('eventBusName', 'Event bus', { hint: 'its name or ARN' }),
      given('source', 'Source', { hint: 'com.example.billing', isWide: undefined }),
      given('detailType', 'Detail type', { hint: 'invoice due', isWide: undefined }),
    ],
  },
  stepfunctions: {
    words: 'Step Functions state machine',
    start: { type: 'stepfunctions', stateMachineArn: '' },
    fields: [given('stateMachineArn', 'ARN of the state machine'), ...LATER.wait],
  },
  ecs: {
    words: 'ECS task',
    isAlone: true,
    start: { type: 'ecs', taskDefinitionArn: '', clusterArn: '' },
    fields: [
      given('taskDefinitionArn', 'ARN of the task definition', {
        hint: 'a revision, or a family: its latest',
      }),
      given('clusterArn', 'ARN of the cluster'),
      { path: 'container', label: 'Container', kind: 'text', hint: 'gets payload and variables' },
      environment('of that container, NAME: value, one a line'),
      COMMAND,
      { path: 'cpu', label: 'CPU units', kind: 'number', hint: '1024 a processor' },
      MEMORY,
      CODES,
    ],
  },
  batch: {
    words: 'Batch job',
    isAlone: true,
    start: { type: 'batch', jobDefinitionArn: '', jobQueueArn: '' },
    fields: [
      given('jobDefinitionArn', 'ARN of the job definition', {
        hint: 'a revision, or without one: its latest',
      }),
      given('jobQueueArn', 'ARN of the job queue'),
      environment('NAME: value, one a line'),
      { path: 'parameters', label: 'Parameters', kind: 'pairs', hint: 'name: value, one a line' },
      COMMAND,
      { path: 'vcpus', label: 'Processors', kind: 'number' },
      MEMORY,
      CODES,
    ],
  },
  glue: {
    words: 'Glue job',
    isAlone: true,
    start: { type: 'glue', glueJobArn: '' },
    fields: [
      given('glueJobArn', 'ARN of the job of Glue'),
      { path: 'arguments', label: 'Arguments', kind: 'pairs', hint: '--name: value, one a line' },
    ],
  },
  codebuild: {
    words: 'CodeBuild build',
    isAlone: true,
    start: { type: 'codebuild', projectArn: '' },
    fields: [given('projectArn', 'ARN of the project'), environment('NAME: value, one a line')],
  },
  aws: {
    words: 'another action of AWS',
    isAlone: true,
    start: { type: 'aws', action: '', input: {} },
    fields: [
      given('action', 'Action', { hint: 'kinesis:PutRecord' }),
      { path: 'input', label: 'Input', kind: 'object', hint: 'JSON, by the names of its members', rows: 6 },
      { ...regions, usual: 'that of the deployment' },
    ],
  },
};

const ALONE: ReadonlySet<FormField> = new Set([...LATER.durable, ...LATER.wait]);
/** The types that may be one of several targets, or follow from an end. */
export const CALLED_KINDS: Readonly<Record<string, KindRow>> = Object.fromEntries(
  Object.entries(TARGET_KINDS)
    .filter(([, { isAlone }]) => !isAlone)
    .map(([type, row]) => [type, { ...row, fields: row.fields.filter((field) => !ALONE.has(field)) }]),
);
