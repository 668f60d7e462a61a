import { problemOf, ResponseError } from './errors';
import { type FieldKind, faultOf } from './response-shape';

/** The result of a call of `openapi-fetch`. */
export interface Result<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Fields that every response of an operation has, and what they are. */
export type Expected<Data> = { [Field in keyof Data & string]?: FieldKind };

const MAX_SHOWN = 80;

/** Throws a `ResponseError` if a successful response has a body that is neither empty nor JSON. */
export async function checkJson(request: Request, response: Response): Promise<void> {
  if (!response.ok) return;
  const text = await response.clone().text();
  if (text === '') return;
  try {
    JSON.parse(text);
  } catch (cause) {
    throw unexpected({ url: request.url, status: response.status }, `is not JSON: ${shown(text)}`, { cause });
  }
}

/**
 * The body of a successful response: an object with the expected fields. Throws a `ProblemError` for another
 * response, and else a `ResponseError`: what comes from another server ends here.
 */
export function dataOf<Data>(
  { data, error, response }: Result<Data>,
  expected: Expected<Data>,
): NonNullable<Data> {
  if (!response.ok) throw problemOf(response.status, error, requestIdOf(response));
  const body: unknown = data;
  const fault = body === undefined ? 'is empty' : faultOf(body, expected);
  if (fault === undefined) return data as NonNullable<Data>;
  throw unexpected(response, body === undefined ? fault : `${fault}: ${shown(JSON.stringify(body))}`);
}

/** Checks the response of a call that deletes something: 204. `isGone` says whether 404 is a success too. */
export function checkDeleted({ error, response }: Result<unknown>, isGone = false): void {
  const { ok, status } = response;
  if (status === 204 || (isGone && status === 404)) return;
  throw ok ? unexpected(response, 'is not empty') : problemOf(status, error, requestIdOf(response));
}

/** What identifies a request. API Gateway alone knows one that did not reach a function. */
export const requestIdOf = ({ headers }: Pick<Response, 'headers'>): string | undefined =>
  headers.get('quarterjack-request-id') ?? headers.get('apigw-requestid') ?? undefined;

function unexpected(
  { url, status }: Pick<Response, 'url' | 'status'>,
  fault: string,
  options?: ErrorOptions,
): ResponseError {
  const from = url === '' ? '' : ` from ${url.replace(/\?.*$/s, '')}`;
  const message = `the response${from} (${status}) ${fault}; is this the URL of a Quarterjack API?`;
  return new ResponseError(message, status, options);
}

const shown = (text: string): string =>
  JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
