import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

import { callLambda } from '../../../../../lambdas/core/delivery/call/lambda';
import { mockedClient } from '../../../../support/mocked-client';

const client = mockedClient(LambdaClient);
beforeEach(() => client.reset());

/** The result of a call of a function that has failed with this text. */
async function failedWith(text: string) {
  client.on(InvokeCommand).resolves({
    StatusCode: 200,
    FunctionError: 'Unhandled',
    Payload: Buffer.from(text) as never, // the SDK does not export its class for payloads
  });
  return callLambda(
    { type: 'lambda', functionArn: 'arn:aws:lambda:eu-central-1:111122223333:function:target-f' },
    { project: 'billing', body: Buffer.from('{}'), headers: {} },
    { region: 'eu-central-1', role: undefined, signal: new AbortController().signal },
  );
}

test('an error of the function is retriable', async () => {
  expect(await failedWith('{"errorMessage":"boom"}')).toEqual({
    outcome: 'retriable',
    statusCode: 200,
    body: '{"errorMessage":"boom"}',
    error: 'the function failed: Unhandled',
  });
});

test.each([
  ['QuarterjackFatalError', { outcome: 'fatal' }],
  ['QuarterjackRetryAfter:90', { outcome: 'retriable', retryAfterMs: 90_000 }],
  ['QuarterjackRetryAfter:5m', { outcome: 'retriable' }],
  ['FatalError', { outcome: 'retriable' }],
  ['QuarterjackFatalError:bad-payload', { outcome: 'fatal', reason: 'bad-payload' }],
  [
    'QuarterjackRetryAfter:60:unknown-job',
    { outcome: 'retriable', retryAfterMs: 60_000, reason: 'unknown-job' },
  ],
  ['QuarterjackFatalError:unknown-job', { outcome: 'fatal', reason: 'unknown-job' }],
  ['QuarterjackFatalError:blocked-target', { outcome: 'fatal' }],
  ['QuarterjackFatalError:a\nb:c', { outcome: 'fatal' }],
  ['QuarterjackRetryAfter:60:', { outcome: 'retriable', retryAfterMs: 60_000 }],
  ['QuarterjackFatalErrors', { outcome: 'retriable' }],
  ['unknown-job', { outcome: 'retriable' }],
])('the type of an error, %s, says what follows', async (errorType, says) => {
  const { outcome, retryAfterMs, reason } = await failedWith(
    JSON.stringify({ errorType, errorMessage: 'boom' }),
  );
  expect({ outcome, retryAfterMs, reason }).toEqual(says);
});

test.each(['null', 'not json', `{"errorType":"QuarterjackFatalError","trace":"${'x'.repeat(300_000)}"}`])(
  'an error that cannot be read is retriable',
  async (text) => {
    expect(await failedWith(text)).toMatchObject({ outcome: 'retriable' });
  },
);
