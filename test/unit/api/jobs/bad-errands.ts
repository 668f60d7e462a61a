const HERE = 'eu-central-1:111122223333';
const machine = (fields: object) => ({
  type: 'stepfunctions',
  stateMachineArn: `arn:aws:states:${HERE}:stateMachine:target-m`,
  ...fields,
});
const durable = {
  type: 'lambda',
  functionArn: `arn:aws:lambda:${HERE}:function:target-f:live`,
  durable: true,
};

const batchJob = (fields: object) => ({
  type: 'batch',
  jobDefinitionArn: `arn:aws:batch:${HERE}:job-definition/target-report`,
  jobQueueArn: `arn:aws:batch:${HERE}:job-queue/target-q`,
  ...fields,
});
const run = (fields: object) => ({
  type: 'glue',
  glueJobArn: `arn:aws:glue:${HERE}:job/target-etl`,
  ...fields,
});
const build = (fields: object) => ({
  type: 'codebuild',
  projectArn: `arn:aws:codebuild:${HERE}:project/target-site`,
  ...fields,
});

/** What jobs with targets that work as errands must not say: see `BAD_DEFINITIONS`. */
export const BAD_ERRANDS: readonly [string, object, string, RegExp][] = [
  [
    'a timeout of 367 days with wait',
    { target: machine({ wait: true }), timeout: '367d' },
    'timeout',
    /366d/,
  ],
  [
    'a key that would be held for longer than 7 days',
    { target: machine({ wait: true }), timeout: '8d', concurrencyKey: 'db' },
    'timeout',
    /at most 7d/,
  ],
  ['fatal errors without wait', { target: machine({ fatalErrors: ['A'] }) }, 'target.fatalErrors', /"wait"/],
  ['no fatal errors', { target: machine({ wait: true, fatalErrors: [] }) }, 'target.fatalErrors', /1 to 20/],
  [
    'a durable function that reports',
    { target: { ...durable, mode: 'async' } },
    'target.durable',
    /mode "async"/,
  ],
  [
    'a durable function without a version or alias',
    { target: { ...durable, functionArn: durable.functionArn.replace(/:live$/, '') } },
    'target.functionArn',
    /names no version or alias/,
  ],
  ['a build of 45 hours', { target: build({}), timeout: '45h' }, 'timeout', /44h/],
  ['a run of Glue of 8 days', { target: run({}), timeout: '8d' }, 'timeout', /7d/],
  ['a job of Batch of 31 days', { target: batchJob({}), timeout: '31d' }, 'timeout', /30d/],
  [
    'a queue of Batch in another region',
    { target: batchJob({ jobQueueArn: 'arn:aws:batch:eu-west-1:111122223333:job-queue/target-q' }) },
    'target.jobQueueArn',
    /not among the ARNs/,
  ],
  [
    'a queue in place of a definition',
    { target: batchJob({ jobDefinitionArn: `arn:aws:batch:${HERE}:job-queue/target-q` }) },
    'target.jobDefinitionArn',
    /is not the ARN of a job definition/,
  ],
  [
    'a secret as a parameter',
    { target: batchJob({ parameters: { key: '{{ secrets.key }}' } }) },
    'target.parameters.key',
    /must not name a secret/,
  ],
  [
    'a secret in a command',
    { target: batchJob({ command: ['{{ secrets.key }}'] }) },
    'target.command.0',
    /secret/,
  ],
  [
    'exit code 0 as fatal',
    { target: batchJob({ fatalExitCodes: [0] }) },
    'target.fatalExitCodes.0',
    /1 to 255/,
  ],
  [
    'other code for a run of Glue',
    { target: run({ arguments: { '--extra-py-files': 's3://mine/x.py' } }) },
    'target.arguments.--extra-py-files',
    /decides which code runs/,
  ],
  [
    'a script for a run of Glue, in other letters',
    { target: run({ arguments: { '--scriptLocation': 's3://mine/x.py' } }) },
    'target.arguments.--scriptLocation',
    /decides which code runs/,
  ],
  [
    'an argument of Quarterjack',
    { target: run({ arguments: { '--QUARTERJACK_ERRAND': 'qj-1' } }) },
    'target.arguments.--QUARTERJACK_ERRAND',
    /is set by Quarterjack/,
  ],
  [
    'an argument without dashes',
    { target: run({ arguments: { day: '1' } }) },
    'target.arguments.day',
    /"--"/,
  ],
  ['a buildspec', { target: build({ buildspec: 'version: 0.2' }) }, 'target.buildspec', /field/],
  ['a job of Batch as one of several targets', { targets: [batchJob({})] }, 'targets.0.type', /must be/],
  ['a durable function as one of several targets', { targets: [durable] }, 'targets.0.durable', /field/],
];
