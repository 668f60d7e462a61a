import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

import { eventually } from '../../support/eventually';
import { Host } from '../../support/local/host';

const CHECKOUT_DIR = resolve(__dirname, '../../..');
const ALLOWED = 'arn:aws:sqs:us-east-1:000000000000:target-*';

let host: Host;
let sqs: SQSClient;
let headers: Record<string, string>;
const assembly = mkdtempSync(join(tmpdir(), 'quarterjack-assembly-'));

beforeAll(async () => {
  const context = ['-c', 'stage=local', '-c', `allowedTargetArns=${ALLOWED}`];
  const cdk = join(CHECKOUT_DIR, 'node_modules/aws-cdk/bin/cdk');
  execFileSync(process.execPath, [cdk, 'synth', '--quiet', '-o', assembly, ...context], {
    cwd: CHECKOUT_DIR,
    stdio: 'ignore',
  });
  host = await Host.start({ port: 0, dataDir: undefined, assembly });
  const { accessKeyId, secretAccessKey, sessionToken } = host.run.operator;
  sqs = new SQSClient({
    region: host.run.region,
    endpoint: host.run.awsEndpointUrl,
    credentials: { accessKeyId, secretAccessKey, sessionToken },
  });
  headers = { authorization: `Bearer ${host.run.token}`, 'content-type': 'application/json' };
}, 180_000);

afterAll(async () => {
  sqs?.destroy();
  await host?.stop();
  rmSync(assembly, { recursive: true });
}, 30_000);

const create = async (queueUrl: string, jobId: string) => {
  const target = { type: 'sqs', queueUrl };
  const schedule = { type: 'delay', delay: '1s' };
  const body = JSON.stringify({ jobId, schedule, target, payload: { invoice: 42 } });
  const answer = await host.fetch('/v1/jobs', { method: 'POST', headers, body });
  return { status: answer.status, body: (await answer.json()) as unknown };
};

const latest = async (jobId: string) => {
  const answer = await host.fetch(`/v1/jobs/${jobId}/executions`, { headers });
  return ((await answer.json()) as { items: Record<string, unknown>[] }).items[0];
};

test('a queue beside the stack gets the payload, under the role that the template gives the executor', async () => {
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'target-invoices' }));
  expect(await create(QueueUrl, 'to-queue')).toMatchObject({
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
  await eventually(
    () => latest('to-queue'),
    (execution) => execution?.status === 'succeeded',
    10_000,
  );
}, 40_000);

test('other queues, and those of the stack itself, are refused', async () => {
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'other' }));
  const own = Object.values(host.run.queueUrls)[0]!;
  for (const url of [QueueUrl, own]) {
    expect(await create(url, 'refused')).toMatchObject({
      status: 400,
      body: { errors: [expect.objectContaining({ path: 'target.queueUrl' })] },
    });
  }
}, 20_000);
