import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';

import { startAwsEndpoint } from '../../../../local/services/aws-endpoint';
import { Callers } from '../../../../local/services/callers';
import { Elsewhere } from '../../../../local/services/external-resources';
import { sns } from '../../../../local/services/sns';
import { stepFunctions } from '../../../../local/services/step-functions';

const TopicArn = 'arn:aws:sns:us-east-1:000000000000:orders';
const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:billing';
const clock = { nowMs: () => 1_000 };
const TIME = '1970-01-01T00:00:01.000Z';

let said: string[];
let elsewhere: Elsewhere;
let settings: { endpoint: string; region: string; credentials: ReturnType<Callers['issue']> };
let stop: () => Promise<void>;
beforeEach(async () => {
  said = [];
  let ids = 0;
  elsewhere = new Elsewhere({ clock, newId: () => `id-${++ids}`, onFirst: (line) => void said.push(line) });
  const callers = new Callers();
  const endpoint = await startAwsEndpoint(callers, (line) => void said.push(line));
  endpoint.serve(stepFunctions(elsewhere, clock));
  endpoint.serve(sns(elsewhere));
  settings = { endpoint: endpoint.url, region: 'us-east-1', credentials: callers.issue() };
  stop = () => endpoint.stop();
});
afterEach(() => stop());

test('a topic takes a message; the newest comes first, and the first of a resource is told of', async () => {
  const client = new SNSClient(settings);
  const MessageAttributes = { job: { DataType: 'String', StringValue: 'a&b' } };
  const first = await client.send(new PublishCommand({ TopicArn, Message: '{"n":1}', MessageAttributes }));
  const second = await client.send(new PublishCommand({ TopicArn, Message: '{"n":2}' }));
  client.destroy();
  expect([first.MessageId, second.MessageId]).toEqual(['id-1', 'id-2']);
  expect(elsewhere.sent()).toEqual([
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
  expect(said).toEqual([expect.stringContaining(`${TopicArn} is not on this machine`)]);
});

test('a message without a topic is refused, in the words of the service', async () => {
  const client = new SNSClient(settings);
  await expect(client.send(new PublishCommand({ PhoneNumber: '+1', Message: '<&>' }))).rejects.toMatchObject({
    name: 'InvalidParameterException',
    message: expect.stringContaining('TopicArn'),
  });
  client.destroy();
  expect(elsewhere.sent()).toEqual([]);
});

test('a state machine starts an execution of one name once', async () => {
  const client = new SFNClient(settings);
  const command = () => new StartExecutionCommand({ stateMachineArn, name: 'run-1', input: '{"n":1}' });
  const { executionArn, startDate } = await client.send(command());
  expect(executionArn).toBe('arn:aws:states:us-east-1:000000000000:execution:billing:run-1');
  expect(startDate?.getTime()).toBe(1_000);
  await expect(client.send(command())).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
  client.destroy();
  expect(elsewhere.sent()).toEqual([
    { resource: stateMachineArn, time: TIME, request: { name: 'run-1', input: '{"n":1}' } },
  ]);
});
