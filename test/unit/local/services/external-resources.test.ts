import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';

import { startAwsEndpoint } from '../../../../local/services/aws-endpoint';
import { Callers } from '../../../../local/services/callers';
import { ExternalResources } from '../../../../local/services/external-resources';
import { sns } from '../../../../local/services/sns';
import { MachineExecutions } from '../../../../local/services/step-functions/machine-executions';
import { stepFunctions } from '../../../../local/services/step-functions/step-functions';

const TopicArn = 'arn:aws:sns:us-east-1:000000000000:orders';
const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:billing';
const clock = { nowMs: () => 1_000 };
const TIME = '1970-01-01T00:00:01.000Z';

let lines: string[];
let external: ExternalResources;
let settings: { endpoint: string; region: string; credentials: ReturnType<Callers['issue']> };
let stop: () => Promise<void>;
beforeEach(async () => {
  lines = [];
  let ids = 0;
  external = new ExternalResources({
    clock,
    newId: () => `id-${++ids}`,
    onFirst: (line) => void lines.push(line),
  });
  const callers = new Callers();
  const endpoint = await startAwsEndpoint(callers, (line) => void lines.push(line));
  const publish = async () => undefined;
  const machines = new MachineExecutions({ clock, newId: () => 'id', scripts: [], path: undefined, publish });
  endpoint.serve(stepFunctions(machines, external));
  endpoint.serve(sns(external));
  settings = { endpoint: endpoint.url, region: 'us-east-1', credentials: callers.issue() };
  stop = () => endpoint.stop();
});
afterEach(() => stop());

test('a topic accepts messages; the newest is listed first, and the first one is reported', async () => {
  const client = new SNSClient(settings);
  const MessageAttributes = { job: { DataType: 'String', StringValue: 'a&b' } };
  const first = await client.send(new PublishCommand({ TopicArn, Message: '{"n":1}', MessageAttributes }));
  const second = await client.send(new PublishCommand({ TopicArn, Message: '{"n":2}' }));
  client.destroy();
  expect([first.MessageId, second.MessageId]).toEqual(['id-1', 'id-2']);
  expect(external.sent()).toEqual([
    { resource: TopicArn, time: TIME, request: { Message: '{"n":2}' } },
    {
      resource: TopicArn,
      time: TIME,
      request: expect.objectContaining({
        Message: '{"n":1}',
        'MessageAttributes.entry.1.Value.StringValue': 'a&b',
      }),
    },
  ]);
  expect(lines).toEqual([expect.stringContaining(`${TopicArn} is not part of the stack`)]);
});

test('a message without a topic is rejected with the error of the service', async () => {
  const client = new SNSClient(settings);
  await expect(client.send(new PublishCommand({ PhoneNumber: '+1', Message: '<&>' }))).rejects.toMatchObject({
    name: 'InvalidParameterException',
    message: expect.stringContaining('TopicArn'),
  });
  client.destroy();
  expect(external.sent()).toEqual([]);
});

test('an execution of a state machine is listed once, however often it is started', async () => {
  const client = new SFNClient(settings);
  const command = () => new StartExecutionCommand({ stateMachineArn, name: 'run-1', input: '{"n":1}' });
  await client.send(command());
  await client.send(command());
  client.destroy();
  expect(external.sent()).toEqual([
    { resource: stateMachineArn, time: TIME, request: { name: 'run-1', input: '{"n":1}' } },
  ]);
});
