import { ROUTES } from '../../core/contracts/routes';
import type { Identity } from '../../core/domain/identity';
import { verificationOf } from '../../core/domain/identity-context';
import type { Caller, IncomingRequest } from '../admit';
import type { ApiResponse } from '../request';
import { notFound, problemResponse } from './problem';

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

/** Undefined if the event names no route of the API. */
export function requestOf(event: HttpEvent): IncomingRequest | undefined {
  const route = ROUTES.find(({ method, path }) => `${method} ${path}` === event.routeKey);
  if (!route) return undefined;
  const { requestId, authorizer } = event.requestContext;
  return {
    route,
    requestId,
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

export const noSuchRoute = (event: HttpEvent): HttpResult =>
  resultOf(problemResponse(notFound('route'), event.requestContext.requestId));
