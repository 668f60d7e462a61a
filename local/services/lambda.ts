import { refusalMessage } from '../iam/access';
import type { InvokeOutcome } from '../invoke/environment';
import type { FunctionSpec } from '../template/stack';
import { type AwsReply, type AwsService, awsError } from './aws-call';
import type { Elsewhere } from './external-resources';

export interface LambdaServiceDeps {
  /** Takes JSON text. Never rejects. */
  invoke(functionArn: string, event: string): Promise<InvokeOutcome>;
  invokeLater(functionArn: string, event: string): void;
  elsewhere: Elsewhere;
}

const INVOCATION = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

/**
 * Lambda's `Invoke`: waits for the result, or takes an event for later. Functions elsewhere go by their ARN; their result
 * is null.
 */
export function lambdaService(functions: readonly FunctionSpec[], deps: LambdaServiceDeps): AwsService {
  const namedBy = (path: string): string => decodeURIComponent(INVOCATION.exec(path)?.[1] ?? '');
  const find = (named: string) => functions.find(({ name, arn }) => named === name || named === arn);
  return {
    targetPrefix: 'AWSLambda.',
    operationOf: (method, path) => (method === 'POST' && INVOCATION.test(path) ? 'Invoke' : undefined),
    async call({ path, headers, body }) {
      const named = namedBy(path);
      const spec = find(named);
      const event = body === '' ? '{}' : body;
      const isEvent = headers['x-amz-invocation-type'] === 'Event';
      if (!spec && named.startsWith('arn:')) {
        const ClientContext = headers['x-amz-client-context'];
        const InvocationType = isEvent ? 'Event' : 'RequestResponse';
        deps.elsewhere.take(named, { InvocationType, ClientContext, Payload: event });
        return isEvent ? json(202, '') : json(200, 'null');
      }
      if (!spec) return awsError(404, 'ResourceNotFoundException', `Function not found: ${path}`);
      if (isEvent) {
        deps.invokeLater(spec.arn, event);
        return json(202, '');
      }
      const outcome = await deps.invoke(spec.arn, event);
      if (outcome.ok) return json(200, outcome.payload ?? 'null');
      return json(200, JSON.stringify(outcome.error), { 'x-amz-function-error': 'Unhandled' });
    },
    permissions({ path }) {
      const named = namedBy(path);
      return [{ action: 'lambda:InvokeFunction', resource: find(named)?.arn ?? named }];
    },
    denied: (refusal) => awsError(403, 'AccessDeniedException', refusalMessage(refusal)),
    async stop() {},
  };
}

const json = (status: number, body: string, headers: Record<string, string> = {}): AwsReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body,
});
