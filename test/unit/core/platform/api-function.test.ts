import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';

import { requestOf } from '../../../../lambdas/api/http/http-event';
import { apiFunction } from '../../../../lambdas/core/platform/api-function';

const lambda = mockClient(LambdaClient);
beforeEach(() => lambda.reset());

const answers = (answer: object, FunctionError?: string) =>
  lambda.on(InvokeCommand).resolves({
    Payload: Buffer.from(JSON.stringify(answer)) as never,
    FunctionError,
  });

test('calls the function as API Gateway does, as a tenant of its own', async () => {
  answers({ statusCode: 201, body: '{"jobId":"canary-1"}' });
  const api = apiFunction('api-function', new LambdaClient({}));
  expect(await api.putJob('canary-1', { name: 'x' })).toEqual({ status: 201, body: { jobId: 'canary-1' } });
  const { FunctionName, Payload } = lambda.commandCalls(InvokeCommand)[0]!.args[0].input;
  expect(FunctionName).toBe('api-function');
  expect(requestOf(JSON.parse(Payload as unknown as string))).toMatchObject({
    route: { operation: 'putJob' },
    userId: 'quarterjack-canary',
    scopes: new Set(['jobs:read', 'jobs:write']),
    params: { jobId: 'canary-1' },
    body: '{"name":"x"}',
  });
});

test('a function that fails is no answer', async () => {
  answers({ errorMessage: 'out of memory' }, 'Unhandled');
  const api = apiFunction('api-function', new LambdaClient({}));
  await expect(api.getExecution('canary-1', 'e')).rejects.toThrow('out of memory');
});
