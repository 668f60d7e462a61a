import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

import { type Operation, ROUTES } from '../contracts/routes';
import type { Identity } from '../domain/identity';
import { handlerWith } from './client-settings';

/** Slightly longer than the function's own timeout. */
const INVOKE_TIMEOUT_MS = 30_000;
/** A tenant like any other. The API refuses tokens whose subject has this prefix. */
const CANARY_USER = 'quarterjack-canary';

const identity: Identity = {
  sub: CANARY_USER,
  name: null,
  kind: 'client',
  projects: [{ name: CANARY_USER, role: 'owner' }],
  scopes: ['jobs:read', 'jobs:write'],
  expiresAt: Number.MAX_SAFE_INTEGER,
};

/** One try, since an invocation that timed out may still be running. */
const lambdaClient = (): LambdaClient =>
  new LambdaClient({ maxAttempts: 1, requestHandler: handlerWith(INVOKE_TIMEOUT_MS) });

export interface ApiResult {
  status: number;
  body: unknown;
}

export interface ApiCall {
  operation: Operation;
  pathParameters?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
  headers?: Record<string, string>;
}

/**
 * The API, invoked through its function as API Gateway does after it has verified a token. That is the same
 * code on the same tables, and needs no token. Each call throws if the function fails.
 */
export const apiInvoker =
  (functionName: string, identity: Identity, client: Pick<LambdaClient, 'send'> = lambdaClient()) =>
  async ({ operation, pathParameters = {}, query, body, headers }: ApiCall): Promise<ApiResult> => {
    const { method, path } = ROUTES.find((route) => route.operation === operation)!;
    const event = {
      routeKey: `${method} ${path}`,
      headers: { 'content-type': 'application/json', ...headers },
      pathParameters,
      ...(query && { rawQueryString: String(new URLSearchParams(query)) }),
      body: body && JSON.stringify(body),
      requestContext: {
        requestId: identity.sub,
        authorizer: { internal: identity },
      },
    };
    const { Payload, FunctionError } = await client.send(
      new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(event) }),
    );
    const text = Payload ? Buffer.from(Payload).toString('utf8') : '';
    if (FunctionError !== undefined) throw new Error(`the api function failed: ${text}`);
    const result = JSON.parse(text) as { statusCode: number; body?: string };
    return {
      status: result.statusCode,
      body: result.body ? (JSON.parse(result.body) as unknown) : undefined,
    };
  };

/** What the canary calls. */
export function apiFunction(functionName: string, client?: Pick<LambdaClient, 'send'>) {
  const call = apiInvoker(functionName, identity, client);
  return {
    putJob: (jobId: string, definition: object) =>
      call({ operation: 'putJob', pathParameters: { jobId }, body: definition }),
    getExecution: (jobId: string, execId: string) =>
      call({ operation: 'getExecution', pathParameters: { jobId, execId } }),
  };
}
