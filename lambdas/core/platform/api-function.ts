import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

import { type Operation, ROUTES } from '../contracts/routes';
import { handlerWith } from './client-settings';

/** A little more than the function's own time-out. */
const INVOKE_TIMEOUT_MS = 30_000;
/** A tenant like any other; no issuer names a person so. */
const CANARY_USER = 'quarterjack-canary';
const SCOPES = 'jobs:read jobs:write';

/** One try, since an invocation that timed out may still be at work. */
const lambdaClient = (): LambdaClient =>
  new LambdaClient({ maxAttempts: 1, requestHandler: handlerWith(INVOKE_TIMEOUT_MS) });

interface ApiAnswer {
  status: number;
  body: unknown;
}

/**
 * The API by its function, as API Gateway calls it once it has verified a token: the same code on the same tables, and no
 * token to keep for the canary. Throws where the function fails.
 */
export function apiFunction(functionName: string, client: Pick<LambdaClient, 'send'> = lambdaClient()) {
  const call = async (
    operation: Operation,
    pathParameters: Record<string, string>,
    body?: object,
  ): Promise<ApiAnswer> => {
    const { method, path } = ROUTES.find((route) => route.operation === operation)!;
    const event = {
      routeKey: `${method} ${path}`,
      headers: { 'content-type': 'application/json' },
      pathParameters,
      body: body && JSON.stringify(body),
      requestContext: {
        requestId: 'canary',
        authorizer: { jwt: { claims: { sub: CANARY_USER, scope: SCOPES } } },
      },
    };
    const { Payload, FunctionError } = await client.send(
      new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(event) }),
    );
    const text = Payload ? Buffer.from(Payload).toString('utf8') : '';
    if (FunctionError !== undefined) throw new Error(`the api function failed: ${text}`);
    const answer = JSON.parse(text) as { statusCode: number; body?: string };
    return {
      status: answer.statusCode,
      body: answer.body ? (JSON.parse(answer.body) as unknown) : undefined,
    };
  };
  return {
    putJob: (jobId: string, definition: object) => call('putJob', { jobId }, definition),
    getExecution: (jobId: string, execId: string) => call('getExecution', { jobId, execId }),
  };
}
