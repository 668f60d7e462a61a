import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

import { callerOf } from '../../../../../lambdas/core/delivery/call/call-target';
import { AWS_POLICY } from '../../../../support/aws-policy';
import { mockedClient } from '../../../../support/mocked-client';
import { noSecrets } from '../../../../support/surroundings';

const client = mockedClient(LambdaClient);
beforeEach(() => client.reset());

const REPORTING = { 'quarterjack-callback': 'https://api/v1/attempts', 'quarterjack-token': 'token' };
const KEY = { 'quarterjack-key': 'unpaid%2042' };
const call = callerOf({
  http: { policy: 'public', nowMs: () => 0 },
  secrets: noSecrets,
  aws: AWS_POLICY,
});

/** What a function gets in its client context, and how many bytes that is. */
async function contextOf(headers: Record<string, string>, project = 'billing') {
  client.on(InvokeCommand).resolves({ $metadata: { httpStatusCode: 200 }, StatusCode: 200 });
  const functionArn = 'arn:aws:lambda:eu-central-1:111122223333:function:target-f';
  const delivery = { project, body: Buffer.from('{}'), headers: { 'quarterjack-job': 'report', ...headers } };
  await call({ type: 'lambda', functionArn }, delivery, new AbortController().signal);
  const text = client.commandCalls(InvokeCommand)[0]!.args[0].input.ClientContext!;
  const { custom } = JSON.parse(Buffer.from(text, 'base64').toString()) as { custom: object };
  return { custom, bytes: text.length };
}

test('a function gets the key of a run, and the token of a target that is observed', async () => {
  const ids = { 'quarterjack-project': 'billing', 'quarterjack-job': 'report' };
  expect((await contextOf({})).custom).toEqual(ids);
  client.reset();
  expect((await contextOf({ ...KEY, ...REPORTING })).custom).toEqual({ ...ids, ...KEY, ...REPORTING });
});

test.each([
  ['the token', { ...KEY, ...REPORTING, 'quarterjack-token': 't'.repeat(2_600) }, KEY],
  ['the key', { ...REPORTING, 'quarterjack-key': 'k'.repeat(2_600) }, {}],
])('what Lambda has no room for is left out: %s', async (_, headers, left) => {
  const { custom, bytes } = await contextOf(headers);
  expect(custom).toEqual({ 'quarterjack-project': 'billing', 'quarterjack-job': 'report', ...left });
  expect(bytes).toBeLessThanOrEqual(3_583);
});
