import { ROUTES } from '../../core/contracts/routes';
import type { Identity } from '../../core/domain/identity';
import { verificationOf } from '../../core/domain/identity-context';
import type { Caller, IncomingRequest } from '../admit';
import type { ApiResponse } from '../request';
import { methodNotAllowed, notFound, problemResponse } from './problem';

/** The parts of API Gateway's event, payload format 2.0, that the API reads. */
export interface HttpEvent {
  routeKey: string;
  rawQueryString?: string;
  headers?: Record<string, string | undefined>;
  pathParameters?: Record<string, string | undefined>;
  body?: string;
  isBase64Encoded?: boolean;
  requestContext: {
    requestId: string;
    /** The host that the client called; absent for a caller inside the deployment. */
    domainName?: string;
    /** Absent: a caller inside the deployment, whose route key names the method. */
    http?: { method: string };
    /** When the gateway received the request, in milliseconds. */
    timeEpoch?: number;
    authorizer?: {
      /** What the authorizer said about the token. */
      lambda?: Record<string, unknown>;
      /** A caller inside the deployment, which invokes the function itself. API Gateway never sends this. */
      internal?: Identity;
    };
  };
}

export interface HttpResult {
  statusCode: number;
  headers: Record<string, string>;
  body?: string;
}

/** The method and the path of the route table. API Gateway has one route for each path, with any method. */
function routeOf({ routeKey, requestContext }: HttpEvent): { method: string; path: string } {
  const [method = '', path = ''] = routeKey.split(' ');
  return { method: requestContext.http?.method ?? method, path };
}

/** Undefined if the event names no route of the API. HEAD is answered as GET is. */
export function requestOf(event: HttpEvent): IncomingRequest | undefined {
  const asked = routeOf(event);
  const method = asked.method === 'HEAD' ? 'GET' : asked.method;
  const route = ROUTES.find((one) => one.method === method && one.path === asked.path);
  if (!route) return undefined;
  const { requestId, timeEpoch, authorizer } = event.requestContext;
  return {
    route,
    requestId,
    origin: originOf(event),
    receivedAtMs: timeEpoch,
    caller: callerOf(authorizer),
    params: Object.fromEntries(
      Object.entries(event.pathParameters ?? {}).map(([name, value]) => [name, decodedParam(value)]),
    ),
    query: queryOf(event.rawQueryString ?? ''),
    headers: Object.fromEntries(
      Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    ),
    body: event.isBase64Encoded && event.body !== undefined ? Buffer.from(event.body, 'base64') : event.body,
  };
}

/** A local run has no TLS, and says so as the gateway does. */
function originOf({ headers, requestContext: { domainName } }: HttpEvent): string | undefined {
  const scheme = headers?.['x-forwarded-proto'] === 'http' ? 'http' : 'https';
  return domainName === undefined ? undefined : `${scheme}://${domainName}`;
}

function callerOf(authorizer: HttpEvent['requestContext']['authorizer']): Caller | undefined {
  if (authorizer?.internal) return { via: 'system', identity: authorizer.internal };
  const verification = authorizer?.lambda && verificationOf(authorizer.lambda);
  return verification && { via: 'authorizer', verification };
}

/** Safe whether or not API Gateway has decoded it: none of our ids has a percent sign. */
function decodedParam(value: string | undefined): string | undefined {
  try {
    return value && decodeURIComponent(value);
  } catch {
    return value; // not an encoding, hence not an id: the operation answers 404
  }
}

function queryOf(rawQueryString: string): ReadonlyMap<string, readonly string[]> {
  const query = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}

const EVERY_RESPONSE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** The result for an event. Without a body for HEAD: its headers are those of GET. */
export function resultFor(event: HttpEvent, response: ApiResponse): HttpResult {
  const { body, ...result } = resultOf(response);
  result.headers['quarterjack-request-id'] = event.requestContext.requestId;
  return routeOf(event).method === 'HEAD' || body === undefined ? result : { ...result, body };
}

export function resultOf({ status, headers, body }: ApiResponse): HttpResult {
  return {
    statusCode: status,
    headers: {
      ...EVERY_RESPONSE,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isPlainText(headers) ? (body as string) : JSON.stringify(body) }),
  };
}

/** The body of a text is a string as it is. */
const isPlainText = (headers: ApiResponse['headers'] = {}): boolean =>
  headers['content-type']?.startsWith('text/plain') === true;

/** 405 if the path has routes with other methods, else 404. OPTIONS asks for the methods. */
export function noSuchRoute(event: HttpEvent): HttpResult {
  const { method, path } = routeOf(event);
  const { requestId } = event.requestContext;
  const methods = ROUTES.filter((route) => route.path === path).flatMap(({ method }) =>
    method === 'GET' ? ['GET', 'HEAD'] : [method],
  );
  if (method === 'OPTIONS' && methods.length > 0)
    return resultFor(event, { status: 204, headers: { allow: methods.join(', ') } });
  const problem = methods.length > 0 ? methodNotAllowed(methods) : notFound('route');
  return resultFor(event, problemResponse(problem, { requestId, origin: originOf(event) }));
}
