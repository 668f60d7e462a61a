import { randomBytes } from 'node:crypto';

import type { Credentials } from '../services/callers';
import type { FunctionSpec } from '../template/stack';

/** The template's variables, and what Lambda itself sets. Nothing of the surrounding process gets in. */
export function environmentVariables(
  spec: FunctionSpec,
  credentials: Credentials,
  { region, awsUrl }: { region: string; awsUrl: string },
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
    _HANDLER: spec.handler,
    TZ: 'UTC',
    // The SDK warns of its next Node version at every start; on Lambda, Node is newer than that already.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  };
}
