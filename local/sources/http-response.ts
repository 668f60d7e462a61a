/** What goes back to the client. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  cookies: string[];
  body: Buffer;
}

/** API Gateway's own small answers. */
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
 * Reads a function's answer in payload format 2.0. An answer without `statusCode` is the body itself, a 200 in JSON; one
 * that makes no sense is a 500, as from API Gateway. `payload` is JSON text; undefined where nothing was returned.
 */
export function httpResponse(payload: string | undefined): HttpResponse {
  const answer: unknown = payload === undefined ? null : JSON.parse(payload);
  if (typeof answer !== 'object' || answer === null || !('statusCode' in answer)) {
    const body = typeof answer === 'string' ? answer : (payload ?? 'null');
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      cookies: [],
      body: Buffer.from(body),
    };
  }
  const { statusCode, headers, cookies, body, isBase64Encoded } = answer as Record<string, unknown>;
  const status = Number(statusCode);
  const bodyFits = body === undefined || body === null || typeof body === 'string';
  if (!Number.isInteger(status) || status < 100 || status > 599 || !bodyFits) return INTERNAL_SERVER_ERROR;

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
