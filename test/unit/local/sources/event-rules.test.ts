import { endEventOf, type MachineExecution } from '../../../../local/services/step-functions/execution';
import { eventRules } from '../../../../local/sources/event-rules';

const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:watch';
const RULE = {
  logicalId: 'Rule',
  name: 'rule',
  arn: 'arn:aws:events:us-east-1:000000000000:rule/rule',
  enabled: true,
  pattern: {
    source: ['aws.states'] as ['aws.states'],
    'detail-type': ['Step Functions Execution Status Change'] as ['Step Functions Execution Status Change'],
    detail: { name: [{ prefix: 'qj-' }] as [{ prefix: string }], status: ['SUCCEEDED' as const] },
  },
  queueArns: [QUEUE],
};
const EXECUTION: MachineExecution = {
  arn: 'arn:aws:states:us-east-1:000000000000:execution:nightly:qj-1',
  machineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:nightly',
  name: 'qj-1',
  input: '{}',
  startedMs: 0,
  endsMs: 1,
  ends: 'SUCCEEDED',
  status: 'SUCCEEDED',
  stoppedMs: 1,
  delivery: 'once',
};

async function deliver(rule: Partial<typeof RULE>, execution: Partial<MachineExecution>, isAllowed = true) {
  const sent: string[] = [];
  const asked: unknown[] = [];
  const publish = eventRules([{ ...RULE, ...rule }], {
    accountId: '000000000000',
    access: {
      allowsService: (service, request) => {
        asked.push([service, request]);
        return isAllowed;
      },
    },
    send: async (queueArn, body) => void sent.push(queueArn, body),
    onError: () => undefined,
  });
  const event = endEventOf({ ...EXECUTION, ...execution }, 'id');
  await publish(event);
  return { sent, asked, event };
}

test('a queue gets the whole event, if its policy lets the rule send', async () => {
  const { sent, asked, event } = await deliver({}, {});
  expect(sent).toEqual([QUEUE, JSON.stringify(event)]);
  const context = expect.objectContaining({ 'aws:sourcearn': RULE.arn });
  const request = { action: 'sqs:SendMessage', resource: QUEUE, context };
  expect(asked).toEqual([['events.amazonaws.com', request]]);
  expect((await deliver({}, {}, false)).sent).toEqual([]);
});

test.each([
  ['a name without the prefix', {}, { name: 'run-1' }],
  ['a status that the rule does not name', {}, { status: 'FAILED' as const }],
  ['a disabled rule', { enabled: false }, {}],
])('nothing is sent for %s', async (_, rule, execution) => {
  expect((await deliver(rule, execution)).sent).toEqual([]);
});
