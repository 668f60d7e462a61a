import { refusalMessage } from '../iam/access';
import type { InvokeOutcome } from '../invoke/environment';
import type { FunctionSpec } from '../template/stack';
import { type AwsReply, type AwsService, awsError } from './aws-call';

export interface LambdaServiceDeps {
  /** Takes JSON text. Never rejects. */
  invoke(functionArn: string, event: string): Promise<InvokeOutcome>;
  invokeLater(functionArn: string, event: string): void;
}

const INVOCATION = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

/** Lambda's `Invoke`, for functions of the stack: waits for the result, or takes an event for later. */
export function lambdaService(functions: readonly FunctionSpec[], deps: LambdaServiceDeps): AwsService {
  const find = (path: string): FunctionSpec | undefined => {
    const named = decodeURIComponent(INVOCATION.exec(path)?.[1] ?? '');
    return functions.find(({ name, arn }) => named === name || named === arn);
  };
  return {
    targetPrefix: 'AWSLambda.',
    operationOf: (method, path) => (method === 'POST' && INVOCATION.test(path) ? 'Invoke' : undefined),
    async call({ path, headers, body }) {
      const spec = find(path);
      if (!spec) return awsError(404, 'ResourceNotFoundException', `Function not found: ${path}`);
      const event = body === '' ? '{}' : body;
      if (headers['x-amz-invocation-type'] === 'Event') {
        deps.invokeLater(spec.arn, event);
        return json(202, '');
      }
      const outcome = await deps.invoke(spec.arn, event);
      if (outcome.ok) return json(200, outcome.payload ?? 'null');
      return json(200, JSON.stringify(outcome.error), { 'x-amz-function-error': 'Unhandled' });
    },
    permissions({ path }) {
      const spec = find(path);
      return [{ action: 'lambda:InvokeFunction', resource: spec?.arn ?? path }];
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
