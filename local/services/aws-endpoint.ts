import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { readBody } from '../machine/read-body';
import { messageOf } from '../run/errors';
import { type AwsCall, type AwsReply, type AwsService, awsError } from './aws-call';
import type { Callers } from './callers';

/** DynamoDB's request limit, the largest of the services here. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** A request, whatever brings it. */
interface AwsRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: AwsCall['headers'];
  /** Aborted if the client disconnects before the response. */
  signal: AbortSignal;
  /** The body; undefined if it is larger than the limit. Rejects if the client disconnects. */
  read(): Promise<string | undefined>;
}

/** Never rejects. Undefined: the client has disconnected. */
export type Respond = (request: AwsRequest) => Promise<AwsReply | undefined>;

export interface AwsEndpoint {
  url: string;
  /** Answers a request that has not come by HTTP. */
  respond: Respond;
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
  const respond: Respond = (request) =>
    handle(request, { callers, services }).catch((thrown: unknown) => {
      if (request.signal.aborted) return undefined;
      onError(`AWS endpoint: ${messageOf(thrown)}`);
      return awsError(500, 'InternalServerError', messageOf(thrown));
    });
  const server = createServer((request, response) => {
    const disconnected = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) disconnected.abort();
    });
    void respond(requestOf(request, disconnected.signal)).then((reply) => reply && send(response, reply));
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
    respond,
    serve: (service) => void services.push(service),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const requestOf = (request: IncomingMessage, signal: AbortSignal): AwsRequest => ({
  method: request.method ?? '',
  url: request.url ?? '/',
  headers: request.headers,
  signal,
  read: async () => (await readBody(request, MAX_BODY_BYTES))?.toString(),
});

/** The body, unless it is larger than the limit. */
export const withinLimit = (body: string): string | undefined =>
  Buffer.byteLength(body) > MAX_BODY_BYTES ? undefined : body;

async function handle(
  request: AwsRequest,
  { callers, services }: { callers: Callers; services: readonly AwsService[] },
): Promise<AwsReply> {
  const { method, url, headers, signal } = request;
  const { authorization } = headers;
  const caller = callers.identify(typeof authorization === 'string' ? authorization : undefined);
  if (!caller)
    return awsError(
      403,
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
    );
  const body = await request.read();
  if (body === undefined)
    return awsError(413, 'RequestEntityTooLargeException', `Request is larger than ${MAX_BODY_BYTES} bytes`);
  const { pathname: path, searchParams: query } = new URL(url, 'http://127.0.0.1');
  const own = services.find(({ takes }) => takes?.(caller));
  const others = services.filter(({ takes }) => takes === undefined);
  const { service, action } = own
    ? { service: own, action: '' }
    : findOperation({ ...request, path }, body, others);
  if (!service) {
    const what = action || `${method} ${url}`;
    return awsError(501, 'NotImplementedException', `The local run does not support the AWS call ${what}`);
  }
  return service.call({ caller, action, method, path, query, headers, body, signal });
}

/** By `X-Amz-Target` if present, then by the fields of a form, then by method and path. */
function findOperation(
  { method, path, headers }: Pick<AwsCall, 'path' | 'headers'> & { method: string },
  body: string,
  services: readonly AwsService[],
) {
  const target = String(headers['x-amz-target'] ?? '');
  if (target !== '') {
    const service = services.find(({ targetPrefix }) => target.startsWith(targetPrefix));
    return { service, action: target.slice(service?.targetPrefix.length ?? 0) };
  }
  if (String(headers['content-type']).startsWith('application/x-www-form-urlencoded')) {
    const form = new URLSearchParams(body);
    const service = services.find(({ queryVersion }) => queryVersion === form.get('Version'));
    return { service, action: form.get('Action') ?? '' };
  }
  for (const service of services) {
    const action = service.operationOf?.(method, path);
    if (action !== undefined) return { service, action };
  }
  return { service: undefined, action: '' };
}

function send(response: ServerResponse, { status, headers, body }: AwsReply): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
