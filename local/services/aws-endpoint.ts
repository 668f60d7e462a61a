import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { readBody } from '../machine/read-body';
import { messageOf } from '../run/errors';
import { type AwsReply, type AwsService, awsError } from './aws-call';
import type { Callers } from './callers';

/** DynamoDB's request limit, the largest of the services here. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

export interface AwsEndpoint {
  url: string;
  /** Adds a service. Possible after the start, since names of resources contain the port. */
  serve(service: AwsService): void;
  stop(): Promise<void>;
}

/**
 * Starts the endpoint of all embedded AWS services, on 127.0.0.1 and a free port. The access key identifies
 * the caller; `X-Amz-Target`, a form field or the path identifies service and operation. Services are called
 * in process.
 */
export async function startAwsEndpoint(
  callers: Callers,
  onError: (line: string) => void,
): Promise<AwsEndpoint> {
  const services: AwsService[] = [];
  const server = createServer((request, response) => {
    const disconnected = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) disconnected.abort();
    });
    const { signal } = disconnected;
    handle(request, { callers, services, signal }).then(
      (reply) => send(response, reply),
      (thrown: unknown) => {
        if (signal.aborted) return;
        onError(`AWS endpoint: ${messageOf(thrown)}`);
        send(response, awsError(500, 'InternalServerError', messageOf(thrown)));
      },
    );
  });
  // The SDKs reuse connections. A connection that the server closes at that moment fails a call without a
  // retry.
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

interface HandlerDeps {
  callers: Callers;
  services: readonly AwsService[];
  signal: AbortSignal;
}

async function handle(
  request: IncomingMessage,
  { callers, services, signal }: HandlerDeps,
): Promise<AwsReply> {
  const caller = callers.identify(request.headers.authorization);
  if (!caller)
    return awsError(
      403,
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
    );
  const bytes = await readBody(request, MAX_BODY_BYTES);
  if (bytes === undefined)
    return awsError(413, 'RequestEntityTooLargeException', `Request is larger than ${MAX_BODY_BYTES} bytes`);
  const body = bytes.toString();
  const own = services.find(({ takes }) => takes?.(caller));
  const { service, action, path } = own
    ? { service: own, action: '', path: pathOf(request) }
    : findOperation(request, body, services);
  if (!service) {
    const what = action || `${request.method} ${request.url}`;
    return awsError(501, 'NotImplementedException', `The local run does not support the AWS call ${what}`);
  }
  const query = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams;
  const { method, headers } = request;
  return service.call({ caller, action, method, path, query, headers, body, signal });
}

const pathOf = ({ url = '/' }: IncomingMessage): string => new URL(url, 'http://127.0.0.1').pathname;

/** By `X-Amz-Target` if present, then by the fields of a form, then by method and path. */
function findOperation(request: IncomingMessage, body: string, services: readonly AwsService[]) {
  const { method = '', headers } = request;
  const path = pathOf(request);
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

function send(response: ServerResponse, { status, headers, body }: AwsReply): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
