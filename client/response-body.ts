import { problemOf, ResponseError } from './errors';

/** The result of a call of `openapi-fetch`. */
export interface Result<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** A field that every response of an operation has, and what it is. */
export type Expected<Data> = { [Field in keyof Data & string]?: 'text' | 'list' };

const MAX_SHOWN = 80;

/** Throws a `ResponseError` if a successful response has a body that is neither empty nor JSON. */
export async function checkJson(request: Request, response: Response): Promise<void> {
  if (!response.ok) return;
  const text = await response.clone().text();
  if (text === '') return;
  try {
    JSON.parse(text);
  } catch (cause) {
    throw unexpected(request.url, response, `is not JSON: ${shown(text)}`, { cause });
  }
}

/** The body of a successful response. Throws a `ProblemError` for another one, and else a `ResponseError`. */
export function dataOf<Data>(
  { data, error, response }: Result<Data>,
  expected: Expected<Data>,
): NonNullable<Data> {
  if (!response.ok) throw problemOf(response.status, error);
  const body: unknown = data;
  if (body === undefined) throw unexpected(response.url, response, 'is empty');
  for (const [field, kind] of Object.entries(expected) as [string, string][]) {
    const value = typeof body === 'object' && body !== null ? (body as Fields)[field] : undefined;
    if (kind === 'list' ? Array.isArray(value) : typeof value === 'string') continue;
    throw unexpected(response.url, response, `has no ${kind} ${field}: ${shown(JSON.stringify(body))}`);
  }
  return data as NonNullable<Data>;
}

type Fields = Record<string, unknown>;

function unexpected(url: string, { status }: Response, fault: string, options?: ErrorOptions): ResponseError {
  const from = url === '' ? '' : ` from ${url.replace(/\?.*$/s, '')}`;
  const message = `the response${from} (${status}) ${fault}; is this the URL of a Quarterjack API?`;
  return new ResponseError(message, status, options);
}

const shown = (text: string): string =>
  JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
