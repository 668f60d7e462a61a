import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ConsoleEnv } from '../core/contracts/env';
import { loadEnv } from '../core/platform/load-env';
import { type BuiltConsole, consoleFiles } from './files';

/** The part of an event of API Gateway, in payload format 2.0, that is used here. */
interface RequestEvent {
  rawPath: string;
  requestContext?: { requestId: string };
  headers?: Record<string, string | undefined>;
}

interface Result {
  statusCode: number;
  headers: Record<string, string>;
  body?: string;
  isBase64Encoded?: boolean;
}

const env = loadEnv(ConsoleEnv, process.env);
/** The build puts the files beside the bundle. */
const folder = join(process.env.LAMBDA_TASK_ROOT ?? process.cwd(), 'files');
const built: BuiltConsole = {
  files: JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as BuiltConsole['files'],
  read: (path, suffix) => readFileSync(join(folder, path + suffix)),
};
const answer = consoleFiles(built, env.SIGN_IN);

export function handler({ rawPath, headers = {}, requestContext }: RequestEvent): Promise<Result> {
  const { status, body, ...response } = answer({
    path: rawPath,
    acceptEncoding: headers['accept-encoding'] ?? '',
    ifNoneMatch: headers['if-none-match'] ?? '',
  });
  return Promise.resolve({
    statusCode: status,
    headers: {
      ...response.headers,
      ...(requestContext && { 'quarterjack-request-id': requestContext.requestId }),
    },
    // HTTP APIs pass bytes only in base64.
    ...(body && { body: body.toString('base64'), isBase64Encoded: true }),
  });
}
