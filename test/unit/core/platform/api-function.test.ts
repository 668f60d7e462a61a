import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

import { admit } from '../../../../lambdas/api/admit';
import { requestOf } from '../../../../lambdas/api/http/http-event';
import { apiFunction } from '../../../../lambdas/core/platform/api-function';
import { mockedClient } from '../../../support/mocked-client';

const lambda = mockedClient(LambdaClient);
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
  const request = admit(requestOf(JSON.parse(Payload as unknown as string))!, 0);
  expect(request).toMatchObject({
    route: { operation: 'putJob' },
    project: 'quarterjack-canary',
    by: { sub: 'quarterjack-canary', name: null, via: 'system' },
    scopes: new Set(['jobs:read', 'jobs:write', 'runs:operate']),
    params: { jobId: 'canary-1' },
    body: '{"name":"x"}',
  });
});

test('a function that fails is no answer', async () => {
  answers({ errorMessage: 'out of memory' }, 'Unhandled');
  const api = apiFunction('api-function', new LambdaClient({}));
  await expect(api.getExecution('canary-1', 'e')).rejects.toThrow('out of memory');
});
