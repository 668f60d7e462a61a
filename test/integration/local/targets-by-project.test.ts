import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

import { openIssuer } from '../../../local/issuer/issuer';
import { ISSUER_DIR } from '../../../local/machine/paths';
import type { ExternalRequest } from '../../../local/services/external-resources';
import { readAssembly } from '../../../local/template/assembly';
import { readStack } from '../../../local/template/read-stack';
import { synthesize } from '../../../local/template/synthesize';
import { eventually } from '../../support/eventually';
import { Host } from '../../support/local/host';
import {
  FUNCTION_OF_ALICE as FUNCTION,
  ROLE_OF_ALICE as ROLE,
  SEVERAL_PROJECTS,
} from '../../support/local/several-projects';

/*
 * Two projects: `alice` has a function of her own and a role, `bob` has neither. Both may use the queues.
 * There
 * are two pools. The policies of the template are enforced.
 */

const HERE = 'us-east-1:000000000000';

let host: Host;
let sqs: SQSClient;
let assembly: string;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  assembly = await synthesize({ settings: SEVERAL_PROJECTS });
  host = await Host.start({ port: 0, dataDir: undefined, assembly });
  const issuer = await openIssuer(ISSUER_DIR);
  for (const user of ['alice', 'bob'])
    tokens[user] = await issuer.token({
      user,
      scope: 'jobs:read jobs:write',
      ttlSec: 600,
      nowMs: Date.now(),
    });
  const { region, awsEndpointUrl: endpoint, operator: credentials } = host.run;
  sqs = new SQSClient({ region, endpoint, credentials });
});

afterAll(async () => {
  sqs?.destroy();
  await host?.stop();
});

async function create(user: string, jobId: string, target: object, pool = 'default') {
  const schedule = { type: 'delay', delay: '1s' };
  const response = await host.fetch('/v1/jobs', {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens[user]}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jobId, schedule, target, pool, payload: { invoice: 42 } }),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

const elsewhere = async (): Promise<ExternalRequest[]> =>
  ((await (await host.fetch('/_local/elsewhere')).json()) as { sent: ExternalRequest[] }).sent;

/** The functions' roles that were allowed to do this, and on what. */
const allowed = async (action: string): Promise<[role: unknown, resource: string][]> =>
  (await host.decisions())
    .filter((one) => one.action === action && one.result === 'allowed')
    .flatMap(({ principal, resource }) => ('roleArn' in principal ? [[principal.roleArn, resource]] : []));

test('a queue of two projects is told whose a message is', async () => {
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'target-q' }));
  for (const user of ['alice', 'bob'])
    expect(await create(user, 'same', { type: 'sqs', queueUrl: QueueUrl })).toMatchObject({ status: 201 });
  const seen = new Set<unknown>();
  await eventually(
    async () => {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 2, MessageAttributeNames: ['All'] }),
      );
      for (const { MessageAttributes: attributes } of Messages)
        seen.add(attributes?.['quarterjack-project']?.StringValue);
      return seen.size;
    },
    (size) => size === 2,
  );
  expect(seen).toEqual(new Set(['alice', 'bob']));
});

test('a FIFO topic of two projects gets a group for each', async () => {
  const topicArn = `arn:aws:sns:${HERE}:target-t.fifo`;
  for (const user of ['alice', 'bob'])
    expect(await create(user, 'in-order', { type: 'sns', topicArn })).toMatchObject({ status: 201 });
  const groups = async () =>
    (await elsewhere())
      .filter(({ resource }) => resource === topicArn)
      .map(({ request }) => (request as { MessageGroupId: string }).MessageGroupId);
  expect((await eventually(groups, ({ length }) => length === 2)).sort()).toEqual([
    'alice/in-order',
    'bob/in-order',
  ]);
});

test('a project with a role is called under it, with its own external id and session', async () => {
  expect(await create('alice', 'to-function', { type: 'lambda', functionArn: FUNCTION })).toMatchObject({
    status: 201,
  });
  const sent = await eventually(elsewhere, (all) => all.some(({ resource }) => resource === FUNCTION));
  expect(sent.find(({ resource }) => resource === ROLE)?.request).toEqual({
    RoleSessionName: 'quarterjack-alice',
    ExternalId: 'quarterjack/alice',
  });
  const { ClientContext } = sent.find(({ resource }) => resource === FUNCTION)!.request as {
    ClientContext: string;
  };
  expect(JSON.parse(Buffer.from(ClientContext, 'base64').toString())).toMatchObject({
    custom: { 'quarterjack-project': 'alice', 'quarterjack-job': 'to-function' },
  });
  expect(await allowed('sts:AssumeRole')).toEqual([[expect.stringContaining('Executor'), ROLE]]);
  expect((await allowed('lambda:InvokeFunction')).filter(([, resource]) => resource === FUNCTION)).toEqual(
    [],
  );
});

test('a role of a project calls no function of the stack, by whatever version', async () => {
  const { region, awsEndpointUrl: endpoint, operator: credentials } = host.run;
  const sts = new STSClient({ region, endpoint, credentials });
  const session = { RoleArn: ROLE, RoleSessionName: 'quarterjack-alice' };
  const { Credentials: given } = await sts.send(new AssumeRoleCommand(session));
  sts.destroy();
  const lambda = new LambdaClient({
    region,
    endpoint,
    credentials: {
      accessKeyId: given!.AccessKeyId!,
      secretAccessKey: given!.SecretAccessKey!,
      sessionToken: given!.SessionToken!,
    },
  });
  const invoke = (FunctionName: string) => lambda.send(new InvokeCommand({ FunctionName, Payload: '{}' }));
  const aws = { region, accountId: '000000000000', apiUrl: 'http://127.0.0.1:1', awsUrl: '' };
  const own = readStack(readAssembly(assembly), aws).functions[0]!.arn;
  for (const arn of [own, `${own}:$LATEST`, `${own}:live`])
    await expect(invoke(arn)).rejects.toMatchObject({ name: 'AccessDeniedException' });
  await expect(invoke(`${FUNCTION}:live`)).resolves.toMatchObject({ StatusCode: 200 });
  lambda.destroy();
});

test('another project cannot have the target', async () => {
  expect(await create('bob', 'to-function', { type: 'lambda', functionArn: FUNCTION })).toMatchObject({
    status: 400,
    body: { errors: [expect.objectContaining({ path: 'target.functionArn' })] },
  });
});

test('a job runs in its pool, whose executors have the permissions of all; any other name is 400', async () => {
  const target = { type: 'sns', topicArn: `arn:aws:sns:${HERE}:target-pooled` };
  expect(await create('bob', 'pooled', target, 'heavy')).toMatchObject({ status: 201 });
  expect(await create('bob', 'gone', target, 'gpu')).toMatchObject({
    status: 400,
    body: {
      errors: [
        {
          path: 'pool',
          message: '"gpu" is no pool of this deployment: must be one of default, heavy, inner',
        },
      ],
    },
  });
  const me = await host.fetch('/v1/me', { headers: { authorization: `Bearer ${tokens.bob}` } });
  expect(await me.json()).toMatchObject({ pools: ['default', 'heavy', 'inner'] });
  await eventually(elsewhere, (all) => all.some(({ resource }) => resource === target.topicArn));
});
