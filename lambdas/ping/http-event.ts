import type { PingResponse } from './responses';
import type { BadgeRequest } from './serve-badge';
import type { PingRequest } from './serve-ping';

/** The parts of API Gateway's event, payload format 2.0, that a ping or a badge has. */
export interface PingEvent {
  rawQueryString?: string;
  pathParameters?: Record<string, string | undefined>;
  body?: string;
  isBase64Encoded?: boolean;
  requestContext: { http: { method: string } };
}

export interface PingResult {
  statusCode: number;
  headers: Record<string, string>;
  body?: string;
}

export const requestOf = ({ rawQueryString = '', pathParameters = {}, ...event }: PingEvent): PingRequest => {
  const query = new URLSearchParams(rawQueryString);
  return {
    method: event.requestContext.http.method,
    key: pathParameters.projectKey ?? pathParameters.key ?? '',
    slug: pathParameters.slug,
    creates: query.get('create') === '1',
    signal: pathParameters.signal,
    rid: query.get('rid') ?? undefined,
    body: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
  };
};

/** Undefined: it is a ping. */
export function badgeRequestOf({
  rawQueryString = '',
  pathParameters,
  requestContext,
}: PingEvent): BadgeRequest | undefined {
  const file = pathParameters?.file;
  if (file === undefined) return undefined;
  const label = new URLSearchParams(rawQueryString).get('label') ?? undefined;
  return { method: requestContext.http.method, file, label };
}

/** The console has the same origin: nothing that is answered here may run there, or be kept. */
const EVERY_RESPONSE = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-type': 'text/plain; charset=utf-8',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

/** Without a body for HEAD. */
export function resultOf(event: PingEvent, { status, text, headers }: PingResponse): PingResult {
  const result = { statusCode: status, headers: { ...EVERY_RESPONSE, ...headers } };
  return event.requestContext.http.method === 'HEAD' ? result : { ...result, body: text };
}
