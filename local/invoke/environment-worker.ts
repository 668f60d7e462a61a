import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

import { callByMessages } from './calls-by-messages';
import type { EnvironmentData, EnvironmentMessage, Invocation, InvokeError } from './protocol';

/**
 * An execution environment: a thread that imports the production bundle and handles one event at a time. The
 * main thread sets its environment variables, and ends it on a timeout.
 */
type Handler = (event: unknown, context: object) => unknown;

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread');
const post = (message: EnvironmentMessage): void => port.postMessage(message);
const data = workerData as EnvironmentData;

const describe = (thrown: unknown): InvokeError =>
  thrown instanceof Error
    ? { errorType: thrown.name, errorMessage: thrown.message, trace: (thrown.stack ?? '').split('\n') }
    : { errorType: typeof thrown, errorMessage: String(thrown), trace: [] };

const contextOf = ({ requestId, timeoutMs }: Invocation): object => {
  const deadlineMs = performance.now() + timeoutMs;
  return {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: data.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: data.functionArn,
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    memoryLimitInMB: String(data.memoryMb),
    getRemainingTimeInMillis: () => Math.max(0, Math.round(deadlineMs - performance.now())),
  };
};

const serve = (handler: Handler): void => {
  port.on('message', (invocation: Invocation) => {
    // Parsed here, so that the event is plain JSON data as on Lambda.
    const run = async (): Promise<unknown> => handler(JSON.parse(invocation.event), contextOf(invocation));
    run()
      .then((result) => post({ kind: 'result', payload: JSON.stringify(result) as string | undefined }))
      .catch((thrown: unknown) => post({ kind: 'error', error: describe(thrown) }));
  });
  post({ kind: 'ready' });
};

if (data.awsPort) callByMessages(data.awsPort, process.env.AWS_ENDPOINT_URL!);
import(pathToFileURL(data.modulePath).href).then(
  (module: Record<string, unknown>) => {
    const handler = module[data.exportName];
    if (typeof handler === 'function') return serve(handler as Handler);
    const errorMessage = `${data.modulePath} has no function export ${data.exportName}`;
    post({
      kind: 'failed-to-start',
      error: { errorType: 'Runtime.HandlerNotFound', errorMessage, trace: [] },
    });
  },
  (thrown: unknown) => post({ kind: 'failed-to-start', error: describe(thrown) }),
);
