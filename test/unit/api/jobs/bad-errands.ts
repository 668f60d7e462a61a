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
  ['a durable function as one of several targets', { targets: [durable] }, 'targets.0.durable', /field/],
];
