import { denialMessage } from '../iam/access';
import type { InvokeOutcome } from '../invoke/environment';
import type { FunctionSpec } from '../template/stack';
import { type AwsReply, type AwsService, awsError } from './aws-call';
import type { StartDurable } from './durable/durable-functions';
import type { ExternalResources } from './external-resources';

interface LambdaServiceDeps {
  /** `event` is JSON. Never rejects. */
  invoke(functionArn: string, event: string): Promise<InvokeOutcome>;
  /** `event` is JSON. */
  invokeAsync(functionArn: string, event: string): void;
  /** Resolves when all changes of the tables so far are on disk. */
  flushed(): Promise<void>;
  external: ExternalResources;
  startDurable: StartDurable;
}

const INVOCATION = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

/**
 * Lambda's `Invoke`, synchronous and asynchronous. An ARN outside the stack is an external function: its
 * request is recorded, and its result is `null`. The ARN may name a version or alias. A function of the stack
 * has `$LATEST` alone.
 */
export function lambdaService(functions: readonly FunctionSpec[], deps: LambdaServiceDeps): AwsService {
  const functionIn = (path: string): string => decodeURIComponent(INVOCATION.exec(path)?.[1] ?? '');
  const find = (nameOrArn: string) =>
    functions.find(({ name, arn }) => [name, arn, `${arn}:$LATEST`].includes(nameOrArn));
  const isOther = (nameOrArn: string) =>
    nameOrArn.startsWith('arn:') && !functions.some(({ arn }) => nameOrArn.startsWith(`${arn}:`));
  return {
    targetPrefix: 'AWSLambda.',
    operationOf: (method, path) => (method === 'POST' && INVOCATION.test(path) ? 'Invoke' : undefined),
    async call({ path, headers, body }) {
      const nameOrArn = functionIn(path);
      const spec = find(nameOrArn);
      const event = body === '' ? '{}' : body;
      const isEvent = headers['x-amz-invocation-type'] === 'Event';
      if (!spec && isOther(nameOrArn)) {
        const name = headers['x-amz-durable-execution-name'];
        if (typeof name === 'string') return deps.startDurable(nameOrArn, name, event);
        const ClientContext = headers['x-amz-client-context'];
        const InvocationType = isEvent ? 'Event' : 'RequestResponse';
        deps.external.record(nameOrArn, { InvocationType, ClientContext, Payload: event });
        return isEvent ? json(202, '') : json(200, 'null');
      }
      if (!spec) return awsError(404, 'ResourceNotFoundException', `Function not found: ${path}`);
      if (isEvent) {
        deps.invokeAsync(spec.arn, event);
        return json(202, '');
      }
      const outcome = await deps.invoke(spec.arn, event);
      await deps.flushed(); // the function may be at the edge, and its caller is not
      if (outcome.ok) return json(200, outcome.payload ?? 'null');
      return json(200, JSON.stringify(outcome.error), { 'x-amz-function-error': 'Unhandled' });
    },
    permissions({ path }) {
      const nameOrArn = functionIn(path);
      const resource = nameOrArn.startsWith('arn:') ? nameOrArn : (find(nameOrArn)?.arn ?? nameOrArn);
      return [{ action: 'lambda:InvokeFunction', resource }];
    },
    denied: (denial) => awsError(403, 'AccessDeniedException', denialMessage(denial)),
    async stop() {},
  };
}

const json = (status: number, body: string, headers: Record<string, string> = {}): AwsReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body,
});
