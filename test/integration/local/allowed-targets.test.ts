import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

import type { ExternalRequest } from '../../../local/services/external-resources';
import { readAssembly } from '../../../local/template/assembly';
import { readStack } from '../../../local/template/read-stack';
import { synthesize } from '../../../local/template/synthesize';
import { eventually } from '../../support/eventually';
import { Needs } from '../../support/iam/needs';
import { Host } from '../../support/local/host';

const HERE = 'us-east-1:000000000000';
/** Allowed by an entry of its own, which allows this alias alone. */
const ALIAS = `arn:aws:lambda:${HERE}:function:pinned:live`;
const ALLOWED = {
  lambda: `arn:aws:lambda:${HERE}:function:target-*`,
  sqs: `arn:aws:sqs:${HERE}:target-*`,
  sns: `arn:aws:sns:${HERE}:target-*`,
  events: `arn:aws:events:${HERE}:event-bus/target-*`,
  states: `arn:aws:states:${HERE}:stateMachine:target-*`,
};
const GRANTS = [
  `executor lambda:InvokeFunction ${ALLOWED.lambda}`,
  `executor lambda:InvokeFunction ${ALIAS}`,
  `executor sqs:SendMessage ${ALLOWED.sqs}`,
  `executor sns:Publish ${ALLOWED.sns}`,
  `executor events:PutEvents ${ALLOWED.events}`,
  `executor states:StartExecution ${ALLOWED.states}`,
];
const EXTERNAL = {
  lambda: `arn:aws:lambda:${HERE}:function:target-f`,
  sns: `arn:aws:sns:${HERE}:target-t`,
  events: `arn:aws:events:${HERE}:event-bus/target-b`,
  states: `arn:aws:states:${HERE}:stateMachine:target-m`,
};

const AWS = { region: 'us-east-1', accountId: '000000000000', apiUrl: 'http://127.0.0.1:1', awsUrl: '' };

let host: Host;
let clientConfig: { region: string; endpoint: string; credentials: Host['run']['operator'] };
let sqs: SQSClient;
let headers: Record<string, string>;
let assembly: string;

beforeAll(async () => {
  assembly = await synthesize({
    settings: {
      allowedTargetArns: [...Object.values(ALLOWED), ALIAS],
      allowedTargetHosts: 'example.com',
    },
  });
  host = await Host.start({ port: 0, dataDir: undefined, assembly });
  const { region, awsEndpointUrl: endpoint, operator: credentials } = host.run;
  clientConfig = { region, endpoint, credentials };
  sqs = new SQSClient(clientConfig);
  headers = { authorization: `Bearer ${host.run.token}`, 'content-type': 'application/json' };
});

afterAll(async () => {
  sqs?.destroy();
  await host?.stop();
});

const create = async (jobId: string, target: object) => {
  const schedule = { type: 'delay', delay: '1s' };
  const body = JSON.stringify({ jobId, schedule, target, payload: { invoice: 42 } });
  const response = await host.fetch('/v1/jobs', { method: 'POST', headers, body });
  return { status: response.status, body: (await response.json()) as unknown };
};

const untilSucceeded = (jobId: string) =>
  eventually(
    async () => {
      const response = await host.fetch(`/v1/jobs/${jobId}/executions`, { headers });
      return ((await response.json()) as { items: Record<string, unknown>[] }).items[0];
    },
    (execution) => execution?.status === 'succeeded',
  );

describe('under the role of the executor in the template', () => {
  test('a queue outside the stack gets the payload', async () => {
    const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'target-invoices' }));
    expect(await create('to-queue', { type: 'sqs', queueUrl: QueueUrl })).toMatchObject({
      status: 201,
      body: { target: { type: 'sqs' } },
    });
    const { Messages } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 15, MessageAttributeNames: ['All'] }),
    );
    expect(Messages).toEqual([
      expect.objectContaining({
        Body: '{"invoice":42}',
        MessageAttributes: expect.objectContaining({
          'quarterjack-job': { DataType: 'String', StringValue: 'to-queue' },
          'quarterjack-attempt': { DataType: 'String', StringValue: '1' },
        }),
      }),
    ]);
    await untilSucceeded('to-queue');
  });

  test('external functions, topics, buses and state machines get the same requests as in AWS', async () => {
    const targets = {
      'to-lambda': { type: 'lambda', functionArn: EXTERNAL.lambda },
      'to-alias': { type: 'lambda', functionArn: ALIAS },
      'to-sns': { type: 'sns', topicArn: EXTERNAL.sns },
      'to-events': { type: 'eventbridge', eventBusName: 'target-b', source: 'shop', detailType: 'Order' },
      'to-states': { type: 'stepfunctions', stateMachineArn: EXTERNAL.states },
    };
    for (const [jobId, target] of Object.entries(targets))
      expect(await create(jobId, target)).toMatchObject({ status: 201 });
    await Promise.all(Object.keys(targets).map(untilSucceeded));

    const { sent } = (await (await host.fetch('/_local/elsewhere')).json()) as { sent: ExternalRequest[] };
    const requests = Object.fromEntries(sent.map(({ resource, request }) => [resource, request]));
    expect(requests).toEqual({
      [EXTERNAL.lambda]: expect.objectContaining({ Payload: '{"invoice":42}' }),
      [ALIAS]: expect.objectContaining({ Payload: '{"invoice":42}' }),
      [EXTERNAL.sns]: expect.objectContaining({ Message: '{"invoice":42}' }),
      [EXTERNAL.events]: expect.objectContaining({ Detail: '{"invoice":42}', Source: 'shop' }),
      [EXTERNAL.states]: expect.objectContaining({ input: '{"invoice":42}' }),
    });
  });

  test('each target needs its own grant', async () => {
    const { policies } = readStack(readAssembly(assembly), AWS);
    const needs = new Needs(policies, (grant) => !GRANTS.includes(grant));
    expect(needs.grants).toEqual(expect.arrayContaining(GRANTS));
    needs.learn(await host.decisions());
    expect(needs.unneeded).toEqual([]);
  });
});

test('other resources, including those of the stack itself, are rejected', async () => {
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'other' }));
  const own = Object.values(host.run.queueUrls)[0]!;
  for (const queueUrl of [QueueUrl, own]) {
    expect(await create('rejected', { type: 'sqs', queueUrl })).toMatchObject({
      status: 400,
      body: { errors: [expect.objectContaining({ path: 'target.queueUrl' })] },
    });
  }
});

test('an alias that is allowed allows neither its function nor another alias', async () => {
  const functionOf = ALIAS.slice(0, -':live'.length);
  for (const functionArn of [functionOf, `${functionOf}:1`, `${functionOf}:$LATEST`])
    expect(await create('rejected', { type: 'lambda', functionArn })).toMatchObject({
      status: 400,
      body: {
        errors: [
          {
            path: 'target.functionArn',
            message: expect.stringMatching(/^arn.* can add that entry to allowedTargetArns$/) as unknown,
          },
        ],
      },
    });
});

test('a host that is not allowed is rejected; the canary, whose target is the API itself, still works', async () => {
  expect(await create('rejected', { type: 'http', url: 'https://example.org/hook' })).toMatchObject({
    status: 400,
    body: { errors: [expect.objectContaining({ path: 'target.url' })] },
  });
  const { functions } = readStack(readAssembly(assembly), AWS);
  const { name } = functions.find(({ logicalId }) => logicalId.includes('Canary'))!;
  const lambda = new LambdaClient(clientConfig);
  const { Payload } = await lambda.send(new InvokeCommand({ FunctionName: name, Payload: '{}' }));
  lambda.destroy();
  expect(JSON.parse(Buffer.from(Payload!).toString())).toMatchObject({ registered: true });
});
