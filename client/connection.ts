import createClient, { type Client } from 'openapi-fetch';

import { ArgumentError, problemOf, QuarterjackError } from './errors';
import type { ChangeOptions, ConnectionOptions, CreateOptions, NoteOptions } from './options';
import { checkDeleted, checkJson, dataOf, type Expected, requestIdOf, type Result } from './response-body';
import { DEFAULT_RETRY, REPEATABLE, retryingFetch, TRIES } from './retrying-fetch';
import type { paths } from './schema';

/** The typed calls of the API. They carry the token, and are retried where that is safe. */
export type Connection = Client<paths>;

/** Throws a `QuarterjackError` if `url` is not an http or https URL, or an option is of another type. */
export function connect(options: ConnectionOptions): Connection {
  checkOptions(options);
  const { url, token, project, note, retry, surroundings } = options;
  const baseUrl = baseUrlOf(url);
  const api = createClient<paths>({
    baseUrl,
    fetch: retryingFetch({ ...DEFAULT_RETRY, ...retry }, surroundings),
    // Following a redirect would send the token to another address.
    redirect: 'error',
  });
  api.use({ onResponse: ({ request, response }) => checkJson(request, response) });
  if (project !== undefined) {
    if (!PROJECT.test(project))
      throw new QuarterjackError(
        `project is ${JSON.stringify(project)}; expected 1 to 512 visible ASCII characters`,
      );
    api.use({ onRequest: ({ request }) => request.headers.set('quarterjack-project', project) });
  }
  if (note !== undefined) {
    const encoded = noteText(note);
    api.use({
      onRequest({ request }) {
        if (request.method !== 'GET' && !request.headers.has(NOTE)) request.headers.set(NOTE, encoded);
      },
    });
  }
  if (token !== undefined) {
    api.use({
      async onRequest({ request }) {
        request.headers.set('authorization', `Bearer ${typeof token === 'string' ? token : await token()}`);
      },
    });
  }
  return api;
}

/** A null is as good as nothing, where the client only reads what is there. */
function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null)
    throw new ArgumentError('options', options, 'an object with url');
  const { url, token, project = '', note = '', retry } = options as Record<string, unknown>;
  for (const [name, value] of Object.entries({ url, project, note }))
    if (typeof value !== 'string') throw new ArgumentError(name, value, 'a string');
  if (token !== undefined && typeof token !== 'string' && typeof token !== 'function')
    throw new ArgumentError('token', token, 'a string or a function');
  for (const [name, value] of Object.entries(retry ?? {}))
    if (typeof value !== 'number') throw new ArgumentError(`retry.${name}`, value, 'a number');
}

const PROJECT = /^[\u0021-\u007e]{1,512}$/;

function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return text.replace(/\/+$/, '');
  throw new QuarterjackError(
    `url is ${JSON.stringify(text)}; expected the URL of the API, such as https://host`,
  );
}

/** The body of a successful response. Throws a `QuarterjackError` for any other. */
export const bodyOf = async <Data>(
  call: Promise<Result<Data>>,
  expected: Expected<Data>,
): Promise<NonNullable<Data>> => dataOf(await resultOf(call), expected);

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const PATH = /^\/v1(?:\/[^/?#\\\s]+)+(?:\?[^#\s]*)?$/;
const DOTS = /\/\.{1,2}(?:[/?]|$)/;

/**
 * Calls a route by its path, which the types need not know. Throws an `ArgumentError` for what is no path of
 * the API: the token goes to the API alone.
 */
export function callOf(
  api: Connection,
  method: string,
  path: string,
  init: object,
): Promise<Result<unknown>> {
  if (!METHODS.includes(method)) throw new ArgumentError('method', method, `one of ${METHODS.join(', ')}`);
  if (!PATH.test(path) || DOTS.test(path))
    throw new ArgumentError('path', path, 'one such as /v1/jobs/report');
  return api.request(method.toLowerCase() as never, path as never, init as never);
}

/** The body of any successful response; undefined without one. Throws a `ProblemError` for another one. */
export async function anyBodyOf(call: Promise<Result<unknown>>): Promise<unknown> {
  const { data, error, response } = await resultOf(call);
  if (!response.ok) throw problemOf(response.status, error, requestIdOf(response));
  return data;
}

/** A job with its ETag. Throws a `QuarterjackError` if the response has none. */
export async function jobOf<Data extends { jobId: string }>(
  call: Promise<Result<Data>>,
): Promise<NonNullable<Data> & { etag: string }> {
  const result = await resultOf(call);
  const job = dataOf(result, { jobId: 'text' } as Expected<Data>);
  return { ...job, etag: result.response.headers.get('etag') ?? '' };
}

/**
 * Waits for a call that deletes something. 404 after a retry is a success: an earlier try of the call deleted
 * it, and the response was lost. Throws a `QuarterjackError` for any response but 204.
 */
export async function deleted(call: Promise<Result<unknown>>): Promise<void> {
  const result = await resultOf(call);
  checkDeleted(result, result.response.headers.has(TRIES));
}

/**
 * The result of a call. Throws a `QuarterjackError` if the request cannot be made, for example because a
 * value has no JSON. The reason of an aborted signal, and an error of the token function, are thrown as they
 * are.
 */
export async function resultOf<Data>(call: Promise<Result<Data>>): Promise<Result<Data>> {
  try {
    return await call;
  } catch (cause) {
    if (!INVALID.some((kind) => cause instanceof kind)) throw cause;
    throw new QuarterjackError(`the request cannot be made: ${(cause as Error).message}`, { cause });
  }
}

/** What the runtime throws for values that it cannot put into a request. */
const INVALID = [TypeError, RangeError, URIError];

/** Headers of a request that may safely be sent twice. */
export const REPEATABLE_HEADERS = { [REPEATABLE]: 'yes' };

const NOTE = 'Quarterjack-Note';

/** Throws a `QuarterjackError` for a text with half of a surrogate pair. */
function noteText(note: string): string {
  try {
    return encodeURIComponent(note);
  } catch (cause) {
    throw new QuarterjackError('the note contains half of a surrogate pair', { cause });
  }
}

export const noteHeaders = ({ note }: NoteOptions): Record<string, string> =>
  note === undefined ? {} : { [NOTE]: noteText(note) };

/** Headers of a change that may safely be sent twice. */
export const repeatableChangeHeaders = (options: NoteOptions): Record<string, string> => ({
  ...REPEATABLE_HEADERS,
  ...noteHeaders(options),
});

/** Headers of a request that creates something. The API recognises a retry by the key. */
export const createHeaders = (options: CreateOptions) => ({
  ...repeatableChangeHeaders(options),
  'Idempotency-Key': options.idempotencyKey ?? globalThis.crypto.randomUUID(),
});

/**
 * Headers of a request that changes a job. A change that is tied to an ETag must not be retried: if the first
 * try took effect, the API rejects the second.
 */
export const changeHeaders = ({ ifMatch, note }: ChangeOptions): Record<string, string> => ({
  ...(ifMatch === undefined ? REPEATABLE_HEADERS : { 'If-Match': ifMatch }),
  ...noteHeaders({ note }),
});
