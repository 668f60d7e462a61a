/** What a user chooses and types, and the JSON that comes of it. */
export interface Filled {
  /** Words of the kind. */
  kind: string;
  /** Texts and choices, by how the label begins. */
  fields: Readonly<Record<string, string>>;
  checks?: readonly string[];
  is: unknown;
  /** The field at which a deployment without allowed AWS targets refuses it. */
  refused?: string;
}

const arn = (service: string, rest: string): string => `arn:aws:${service}:eu-central-1:111122223333:${rest}`;
const [FUNCTION, TOPIC, MACHINE] = [
  arn('lambda', 'function:report:live'),
  arn('sns', 'alerts'),
  arn('states', 'stateMachine:nightly'),
];
const QUEUE = 'https://sqs.eu-central-1.amazonaws.com/111122223333/orders';

/** Each type of target, with fields of each kind. The first one has all that an HTTP target may have. */
export const TARGETS: readonly Filled[] = [
  {
    kind: 'HTTP request',
    fields: {
      URL: 'https://127.0.0.1:8443/hook',
      Method: 'PUT',
      'Time limit of a call': '10s',
      Headers: 'X-Own: a: b\nAccept: */*',
      'It knows its caller by': 'OAuth 2.0 client credentials',
      'Address of the token': 'https://127.0.0.1:8443/token',
      'Client id': '{{ secrets.crm }}',
      'Client secret': '{{ secrets.crm }}',
      'Client id and secret stand': 'in the body',
      'An attempt ends': 'with a later report',
      'Longest silence': '10m',
    },
    checks: ['Keep its whole answer in the log'],
    is: {
      type: 'http',
      url: 'https://127.0.0.1:8443/hook',
      method: 'PUT',
      timeout: '10s',
      headers: { 'X-Own': 'a: b', Accept: '*/*' },
      auth: {
        type: 'oauth2',
        tokenUrl: 'https://127.0.0.1:8443/token',
        clientId: '{{ secrets.crm }}',
        clientSecret: '{{ secrets.crm }}',
        clientAuth: 'post',
      },
      mode: 'async',
      heartbeatTimeout: '10m',
      keepResponse: true,
    },
  },
  {
    kind: 'HTTP request',
    fields: {
      URL: 'https://127.0.0.1:8443/',
      'It knows its caller by': 'a signature of AWS (SigV4)',
      Service: 'Lambda function URL',
      Region: 'eu-central-1',
    },
    is: {
      type: 'http',
      url: 'https://127.0.0.1:8443/',
      auth: { type: 'aws', service: 'lambda', region: 'eu-central-1' },
    },
    refused: 'It knows its caller by',
  },
  {
    kind: 'Workers of a queue',
    fields: { Queue: 'warehouse', 'Lost after a silence of': '2m', 'Waits at most': '1h' },
    is: { type: 'worker', queue: 'warehouse', heartbeatTimeout: '2m', startWithin: '1h' },
  },
  {
    kind: 'Lambda function',
    fields: { 'ARN of the function': FUNCTION },
    checks: ['The function is durable'],
    is: { type: 'lambda', functionArn: FUNCTION, durable: true },
    refused: 'ARN of the function',
  },
  {
    kind: 'SQS queue',
    fields: { 'Address of the queue': QUEUE },
    is: { type: 'sqs', queueUrl: QUEUE },
    refused: 'Address of the queue',
  },
  {
    kind: 'SNS topic',
    fields: { 'ARN of the topic': TOPIC },
    is: { type: 'sns', topicArn: TOPIC },
    refused: 'ARN of the topic',
  },
  {
    kind: 'EventBridge event',
    fields: { 'Event bus': 'orders', Source: 'com.example', 'Detail type': 'order paid' },
    is: { type: 'eventbridge', eventBusName: 'orders', source: 'com.example', detailType: 'order paid' },
    refused: 'Event bus',
  },
  {
    kind: 'Step Functions state machine',
    fields: { 'ARN of the state machine': MACHINE },
    checks: ['Wait for the end of its execution'],
    is: { type: 'stepfunctions', stateMachineArn: MACHINE, wait: true },
    refused: 'ARN of the state machine',
  },
  {
    kind: 'ECS task',
    fields: {
      'ARN of the task definition': arn('ecs', 'task-definition/report'),
      'ARN of the cluster': arn('ecs', 'cluster/main'),
      Container: 'app',
      Variables: 'DAY: {{ run.day }}',
      'Exit codes': '2 64',
    },
    is: {
      type: 'ecs',
      taskDefinitionArn: arn('ecs', 'task-definition/report'),
      clusterArn: arn('ecs', 'cluster/main'),
      container: 'app',
      environment: { DAY: '{{ run.day }}' },
      fatalExitCodes: [2, 64],
    },
    refused: 'ARN of the task definition',
  },
  {
    kind: 'Batch job',
    fields: {
      'ARN of the job definition': arn('batch', 'job-definition/report'),
      'ARN of the job queue': arn('batch', 'job-queue/main'),
      Parameters: 'day: 1',
    },
    is: {
      type: 'batch',
      jobDefinitionArn: arn('batch', 'job-definition/report'),
      jobQueueArn: arn('batch', 'job-queue/main'),
      parameters: { day: '1' },
    },
    refused: 'ARN of the job definition',
  },
  {
    kind: 'Glue job',
    fields: { 'ARN of the job of Glue': arn('glue', 'job/report'), Arguments: '--day: 1' },
    is: { type: 'glue', glueJobArn: arn('glue', 'job/report'), arguments: { '--day': '1' } },
    refused: 'ARN of the job of Glue',
  },
  {
    kind: 'CodeBuild build',
    fields: { 'ARN of the project': arn('codebuild', 'project/site'), Variables: 'A: b' },
    is: { type: 'codebuild', projectArn: arn('codebuild', 'project/site'), environment: { A: 'b' } },
    refused: 'ARN of the project',
  },
  {
    kind: 'another action of AWS',
    fields: { Action: 'kinesis:PutRecord', Input: '{ "StreamName": "s" }', Region: 'eu-central-1' },
    is: { type: 'aws', action: 'kinesis:PutRecord', input: { StreamName: 's' }, region: 'eu-central-1' },
    refused: 'Action',
  },
];

/** Each type of schedule. */
export const SCHEDULES: readonly Filled[] = [
  {
    kind: 'Cron',
    fields: {
      Expression: '0 9 * * *',
      'Time zone': 'Europe/Berlin',
      'Leave out': 'calendar: de-holidays\n2026-12-24/2027-01-01\n* * * * SUN',
      'What is left out': 'runs on the next day',
      'At most so many runs': '10',
      From: '2026-12-01T00:00',
      'Until before': '2036-12-01T00:00',
      'Spread by': '5m',
      'Missing local time': 'leave it out',
      'Repeated local time': 'both',
    },
    is: {
      type: 'cron',
      expression: '0 9 * * *',
      timezone: 'Europe/Berlin',
      exclude: [{ calendar: 'de-holidays' }, '2026-12-24/2027-01-01', '* * * * SUN'],
      onExcluded: 'next-day',
      maxRuns: 10,
      startAt: '2026-12-01T00:00',
      endAt: '2036-12-01T00:00',
      jitter: '5m',
      dst: { gap: 'skip', overlap: 'both' },
    },
  },
  {
    kind: 'Interval',
    fields: { Every: '36h', 'Counted from': '2026-12-01T00:00:00Z', 'Only on the days of': 'de-holidays' },
    is: {
      type: 'interval',
      every: '36h',
      anchor: '2026-12-01T00:00:00Z',
      only: [{ calendar: 'de-holidays' }],
    },
  },
  {
    kind: 'Once, at a time',
    fields: { At: '2036-12-01T09:00', 'Time zone': 'Asia/Tokyo' },
    is: { type: 'at', at: '2036-12-01T09:00', timezone: 'Asia/Tokyo' },
  },
  { kind: 'Once, after a while', fields: { After: '7d' }, is: { type: 'delay', delay: '7d' } },
  {
    kind: 'After other jobs',
    fields: { 'After the jobs': 'invoice-42\nbatch-0', 'When they have': 'ended, whatever way' },
    is: { type: 'after', jobs: ['invoice-42', 'batch-0'], on: 'done' },
  },
  {
    kind: 'At an event',
    fields: {
      'Name of the event': 'invoice.paid',
      'Only if its data have': '{ "eu": true }',
      'Events of one key': '30s',
    },
    is: { type: 'event', name: 'invoice.paid', where: { eu: true }, debounce: '30s' },
  },
  { kind: 'None: something else starts it', fields: {}, is: { type: 'none' } },
  { kind: 'As a short text', fields: { Schedule: 'rate(5 minutes)' }, is: 'rate(5 minutes)' },
];
