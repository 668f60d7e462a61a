import { randomBytes } from 'node:crypto';

import type { Credentials } from '../services/callers';
import type { FunctionSpec } from '../template/stack';

/** The environment of a function: its variables in the template, and those that Lambda sets. */
export function environmentVariables(
  spec: FunctionSpec,
  credentials: Credentials,
  { region, awsUrl, startedMs }: { region: string; awsUrl: string; startedMs: number },
): Record<string, string> {
  return {
    ...spec.environment,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ENDPOINT_URL: awsUrl,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: spec.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(spec.memoryMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${spec.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: `local/[$LATEST]${randomBytes(16).toString('hex')}`,
    LAMBDA_TASK_ROOT: spec.codeDirectory,
    // What was in the queues of an earlier run ended with it.
    QUEUES_SINCE_MS: String(startedMs),
    _HANDLER: spec.handler,
    TZ: 'UTC',
    // At each start the SDK warns about old Node versions. On Lambda, Node is newer.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  };
}
