import { problemOf, ResponseError } from './errors';

/** The result of a call of `openapi-fetch`. */
export interface Result<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/**
 * What a field is. A list of names is a list of objects that have these fields as texts. With null among the
 * names, some may be null instead.
 */
type FieldKind = 'text' | 'number' | 'boolean' | 'object' | 'texts' | 'numbers' | readonly (string | null)[];

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
  if (!response.ok) throw problemOf(response.status, error);
  const body: unknown = data;
  const fault = body === undefined ? 'is empty' : faultOf(body, expected);
  if (fault === undefined) return data as NonNullable<Data>;
  throw unexpected(response, body === undefined ? fault : `${fault}: ${shown(JSON.stringify(body))}`);
}

/** Checks the response of a call that deletes something: 204. `isGone` says whether 404 is a success too. */
export function checkDeleted({ error, response }: Result<unknown>, isGone = false): void {
  const { ok, status } = response;
  if (status === 204 || (isGone && status === 404)) return;
  throw ok ? unexpected(response, 'is not empty') : problemOf(status, error);
}

function faultOf(body: unknown, expected: Record<string, FieldKind | undefined>): string | undefined {
  if (!isFields(body)) return 'is no object';
  for (const [field, kind = 'text'] of Object.entries(expected))
    if (!isOf(kind, body[field])) return `has no ${typeof kind === 'string' ? kind : 'list'} ${field}`;
  return isOf('text', body.nextCursor ?? '') ? undefined : 'has no text nextCursor';
}

function isOf(kind: FieldKind, value: unknown): boolean {
  if (kind === 'object') return isFields(value);
  if (kind === 'text') return typeof value === 'string';
  if (kind === 'number' || kind === 'boolean') return typeof value === kind;
  if (!Array.isArray(value)) return false;
  if (kind === 'texts') return value.every((one) => isOf('text', one));
  if (kind === 'numbers') return value.every((one) => isOf('number', one));
  const fields = kind.filter((field) => field !== null);
  const isItem = (one: unknown) => isFields(one) && fields.every((field) => isOf('text', one[field]));
  return value.every((one) => isItem(one) || (one === null && kind.includes(null)));
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
