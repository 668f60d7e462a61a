/** The response to the client. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  cookies: string[];
  body: Buffer;
}

/** A response of API Gateway itself. */
export const gatewayResponse = (
  status: number,
  message: string,
  headers: Record<string, string> = {},
): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  cookies: [],
  body: Buffer.from(JSON.stringify({ message })),
});

export const INTERNAL_SERVER_ERROR = gatewayResponse(500, 'Internal Server Error');

/**
 * Reads a function's result in payload format 2.0. A result without `statusCode` becomes the JSON body of a
 * 200. An invalid one becomes a 500, as in API Gateway. `payload` is JSON, undefined if the function returned
 * nothing.
 */
export function httpResponse(payload: string | undefined): HttpResponse {
  const result: unknown = payload === undefined ? null : JSON.parse(payload);
  if (typeof result !== 'object' || result === null || !('statusCode' in result)) {
    const body = typeof result === 'string' ? result : (payload ?? 'null');
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      cookies: [],
      body: Buffer.from(body),
    };
  }
  const { statusCode, headers, cookies, body, isBase64Encoded } = result as Record<string, unknown>;
  const status = Number(statusCode);
  const bodyIsValid = body === undefined || body === null || typeof body === 'string';
  if (!Number.isInteger(status) || status < 100 || status > 599 || !bodyIsValid) return INTERNAL_SERVER_ERROR;

  const given = Object.entries((headers ?? {}) as Record<string, unknown>).map(
    ([name, value]) => [name.toLowerCase(), String(value)] as const,
  );
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...Object.fromEntries(given) },
    cookies: Array.isArray(cookies) ? cookies.map(String) : [],
    body: Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8'),
  };
}
