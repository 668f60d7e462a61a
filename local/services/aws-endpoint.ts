import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { messageOf } from '../run/errors';
import { type AwsCall, type AwsReply, type AwsService, awsError } from './aws-call';
import type { Callers } from './callers';

/** DynamoDB's own limit of a request, the largest of the services here. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

export interface AwsEndpoint {
  url: string;
  /** Services may be added after the port is known, since their resources carry it in their names. */
  serve(service: AwsService): void;
  stop(): Promise<void>;
}

/**
 * The one address of all embedded AWS services, on 127.0.0.1 and a free port. It knows the caller by the access key,
 * the service and operation by `X-Amz-Target`, the form or the path, and hands the call over in process.
 */
export async function startAwsEndpoint(
  callers: Callers,
  onError: (line: string) => void,
): Promise<AwsEndpoint> {
  const services: AwsService[] = [];

  const answer = async (request: IncomingMessage, signal: AbortSignal): Promise<AwsReply> => {
    const caller = callers.identify(request.headers.authorization);
    if (!caller)
      return awsError(
        403,
        'UnrecognizedClientException',
        'The security token included in the request is invalid.',
      );
    const body = await readBody(request);
    if (body === undefined)
      return awsError(
        413,
        'RequestEntityTooLargeException',
        `Request is larger than ${MAX_BODY_BYTES} bytes`,
      );
    const { service, action, path } = meantBy(request, body, services);
    if (!service) {
      const what = action || `${request.method} ${request.url}`;
      return awsError(501, 'NotImplementedException', `The local run does not know the AWS call ${what}`);
    }
    const call: AwsCall = { caller, action, path, headers: request.headers, body, signal };
    return service.call(call);
  };

  const server = createServer((request, response) => {
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    answer(request, gone.signal).then(
      (reply) => send(response, reply),
      (thrown: unknown) => {
        if (gone.signal.aborted) return;
        onError(`AWS endpoint: ${messageOf(thrown)}`);
        send(response, awsError(500, 'InternalServerError', messageOf(thrown)));
      },
    );
  });
  // The SDKs keep connections for reuse; one closed by the server just then would fail a call that is not retried.
  server.keepAliveTimeout = 0;

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve: (service) => void services.push(service),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** By `X-Amz-Target` where there is one, by what a form says, else by method and path. */
function meantBy(
  { method = '', url = '/', headers }: IncomingMessage,
  body: string,
  services: readonly AwsService[],
) {
  const { pathname: path } = new URL(url, 'http://127.0.0.1');
  const target = String(headers['x-amz-target'] ?? '');
  if (target !== '') {
    const service = services.find(({ targetPrefix }) => target.startsWith(targetPrefix));
    return { service, action: target.slice(service?.targetPrefix.length ?? 0), path };
  }
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    const form = new URLSearchParams(body);
    const service = services.find(({ queryVersion }) => queryVersion === form.get('Version'));
    return { service, action: form.get('Action') ?? '', path };
  }
  for (const service of services) {
    const action = service.operationOf?.(method, path);
    if (action !== undefined) return { service, action, path };
  }
  return { service: undefined, action: '', path };
}

/** Undefined where the body is too large. Rejects where the client goes away. */
function readBody(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
    });
    request.on('end', () => resolve(bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString()));
    request.on('error', reject);
  });
}

function send(response: ServerResponse, { status, headers, body }: AwsReply): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
