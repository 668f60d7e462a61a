import type { IncomingMessage } from 'node:http';

import type { Cors } from '../template/types/api-gateway';
import type { HttpResponse } from './http-response';

const OF_CORS = 'access-control-';

/** Whether a browser asks if a page may call the API. */
export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers[`${OF_CORS}request-method`] !== undefined;

/** An answer to a preflight for which the API has no route. */
export const NO_CONTENT: HttpResponse = { status: 204, headers: {}, cookies: [], body: Buffer.alloc(0) };

/**
 * A response with the CORS headers of the API, if the page of the request may call it. API Gateway ignores
 * those of the function.
 */
export function withCors(reply: HttpResponse, request: IncomingMessage, cors: Cors): HttpResponse {
  const own = Object.entries(reply.headers).filter(([name]) => !name.startsWith(OF_CORS));
  const { origin } = request.headers;
  const added = origin !== undefined && cors.allowOrigins.includes(origin) ? headersFor(request, cors) : {};
  return { ...reply, headers: { ...Object.fromEntries(own), ...added } };
}

function headersFor(request: IncomingMessage, cors: Cors): Record<string, string> {
  const common = {
    [`${OF_CORS}allow-origin`]: request.headers.origin!,
    [`${OF_CORS}expose-headers`]: cors.exposeHeaders.join(','),
  };
  if (!isPreflight(request)) return common;
  return {
    ...common,
    [`${OF_CORS}allow-methods`]: cors.allowMethods.join(','),
    [`${OF_CORS}allow-headers`]: cors.allowHeaders.join(','),
    [`${OF_CORS}max-age`]: String(cors.maxAge),
  };
}
