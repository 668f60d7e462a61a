import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

import type { HttpApiSpec } from '../template/stack';
import type { RouteMatch } from './http-routes';

export interface HttpEventInput {
  api: HttpApiSpec;
  accountId: string;
  requestId: string;
  request: IncomingMessage;
  /** Decoded, including the stage. */
  path: string;
  query: string;
  match: RouteMatch;
  nowMs: number;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * The event for a request to an HTTP API, in payload format 2.0. `context` is what the authorizer says;
 * undefined if the route has none.
 */
export function httpEvent(input: HttpEventInput, body: Buffer, context: unknown): object {
  // Bytes that are not UTF-8 have no text. The function gets them as they are, and rejects them.
  const isText = isTextType(joinHeaders(input.request.rawHeaders)['content-type']) && isUtf8(body);
  const { requestContext, ...event } = requestEvent(input);
  return {
    version: '2.0',
    ...event,
    requestContext: { ...requestContext, ...(context !== undefined && { authorizer: { lambda: context } }) },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/** The event for an authorizer. It has no body. */
export function authorizerEvent(input: HttpEventInput, routeArn: string, identity: string): object {
  return {
    version: '2.0',
    type: 'REQUEST',
    routeArn,
    identitySource: [identity],
    ...requestEvent(input),
  };
}

/** What both events say about a request. */
function requestEvent(input: HttpEventInput) {
  const { api, request, path, query, match, nowMs } = input;
  const headers = joinHeaders(request.rawHeaders);
  const cookies = headers.cookie?.split(/;\s*/).filter((cookie) => cookie !== '');
  delete headers.cookie;
  const domainName = headers.host ?? '127.0.0.1';
  const sourceIp = request.socket.remoteAddress ?? '127.0.0.1';
  return {
    routeKey: match.route.routeKey,
    rawPath: path,
    rawQueryString: query,
    ...(cookies && { cookies }),
    headers: { ...headers, 'x-forwarded-for': sourceIp, 'x-forwarded-proto': 'http' },
    ...(query !== '' && { queryStringParameters: joinQuery(query) }),
    requestContext: {
      accountId: input.accountId,
      apiId: api.id,
      domainName,
      domainPrefix: domainName.split('.')[0],
      http: {
        method: request.method,
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: input.requestId,
      routeKey: match.route.routeKey,
      stage: api.stage,
      time: accessLogTime(nowMs),
      timeEpoch: nowMs,
    },
    ...(Object.keys(match.pathParameters).length > 0 && { pathParameters: match.pathParameters }),
  };
}

/** Headers with names in lower case. Repeated headers are joined by commas, cookies by semicolons. */
export function joinHeaders(rawHeaders: string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    const value = rawHeaders[index + 1] as string;
    const known = headers[name];
    headers[name] = known === undefined ? value : `${known}${name === 'cookie' ? '; ' : ','}${value}`;
  }
  return headers;
}

function joinQuery(query: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const known = Object.hasOwn(values, name) ? values[name] : undefined;
    values[name] = known === undefined ? value : `${known},${value}`;
  }
  return values;
}

/**
 * The content types that an HTTP API passes as text. Others become base64, including forms and a missing
 * type.
 */
export function isTextType(contentType = ''): boolean {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  return type.startsWith('text/') || /^application\/(json|xml|javascript)$/.test(type);
}

/** `12/Mar/2026:19:03:58 +0000` */
function accessLogTime(ms: number): string {
  const iso = new Date(ms).toISOString();
  return `${iso.slice(8, 10)}/${MONTHS[Number(iso.slice(5, 7)) - 1]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
}
