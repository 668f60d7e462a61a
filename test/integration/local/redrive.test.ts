import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import {
  CreateQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';

import { readRunFile } from '../../../local/run/run-file';
import { Host } from '../../support/local/host';

const ASSEMBLY = join(__dirname, '../../support/local/assembly');
const CHECKOUT_DIR = resolve(__dirname, '../../..');

let host: Host;
let sqs: SQSClient;
let stackName: string;

beforeAll(async () => {
  host = await Host.start({ port: 0, dataDir: undefined, assembly: ASSEMBLY });
  const { awsEndpointUrl: endpoint, region, operator: credentials } = host.run;
  sqs = new SQSClient({ endpoint, region, credentials });
  stackName = readRunFile(host.run.url)!.stackName;
});

afterAll(async () => {
  sqs.destroy();
  await host.stop();
});

async function queue(name: string, redrive?: { deadLetterTargetArn: string; maxReceiveCount: number }) {
  const { QueueUrl } = await sqs.send(
    new CreateQueueCommand({
      QueueName: `${stackName}-${name}`,
      Attributes: { VisibilityTimeout: '0', ...(redrive && { RedrivePolicy: JSON.stringify(redrive) }) },
    }),
  );
  return { url: QueueUrl!, arn: `arn:aws:sqs:us-east-1:000000000000:${stackName}-${name}` };
}

const receive = async (QueueUrl: string) => {
  const query = { QueueUrl, MaxNumberOfMessages: 10, MessageSystemAttributeNames: ['All' as const] };
  return (await sqs.send(new ReceiveMessageCommand(query))).Messages ?? [];
};

/** A queue and its dead-letter queue, to which a message moves if it is received once and not deleted. */
async function failing(name: string, ...bodies: string[]) {
  const dead = await queue(`${name}-dead`);
  const source = await queue(name, { deadLetterTargetArn: dead.arn, maxReceiveCount: 1 });
  for (const MessageBody of bodies)
    await sqs.send(new SendMessageCommand({ QueueUrl: source.url, MessageBody }));
  await receive(source.url);
  expect(await receive(source.url)).toEqual([]);
  return { source, dead };
}

const redriveCli = async (...flags: string[]) => {
  const args = ['--import', 'tsx', 'scripts/redrive/cli.ts', '--url', host.run.url, ...flags];
  return promisify(execFile)(process.execPath, args, { cwd: CHECKOUT_DIR });
};

test('dead letters of the selected queue return to their source queue', async () => {
  const orders = await failing('orders', 'a', 'b');
  const mails = await failing('mails', 'c');
  const { stdout: listed } = await redriveCli('--queue', 'orders', '--dry-run');
  expect(listed).toContain(`${stackName}-orders-dead  2 messages, from ${stackName}-orders`);
  const { stdout } = await redriveCli('--queue', 'orders', '--per-second', '500');
  expect(stdout).toContain('orders-dead  2 of 2 moved  COMPLETED');
  const back = (await receive(orders.source.url)).map(({ Body }) => Body);
  expect(new Set(back)).toEqual(new Set(['a', 'b']));
  expect(await receive(mails.source.url)).toEqual([]);
  expect(await receive(mails.dead.url)).toMatchObject([{ Body: 'c' }]);
});

test('only an existing dead-letter queue can be redriven', async () => {
  const plain = await queue('plain');
  const start = (SourceArn: string) => sqs.send(new StartMessageMoveTaskCommand({ SourceArn }));
  await expect(start(plain.arn)).rejects.toThrow('must be configured as a Dead Letter Queue');
  await expect(start(`${plain.arn}-gone`)).rejects.toThrow("doesn't exist");
});

test.each([
  [['--queue', 'nowhere'], /--queue is nowhere; expected a part of/],
  [['--per-second', '0'], /--per-second is 0; expected a whole number from 1 to 500/],
  [['--stack', 'Quarterjack'], /exclude each other/],
  [['--quiet'], /Unknown option '--quiet'/],
])('%j is an error with exit code 2', async (flags, message) => {
  await expect(redriveCli(...flags)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(message),
  });
});
