import createClient, { type Client } from 'openapi-fetch';

import { problemOf, QuarterjackError } from './errors';
import type { ChangeOptions, ConnectionOptions, CreateOptions } from './options';
import { DEFAULT_RETRY, REPEATABLE, retryingFetch } from './retrying-fetch';
import type { paths } from './schema';

/** The typed calls of the API. They carry the token, and are retried where that is safe. */
export type Connection = Client<paths>;

/** Throws a `QuarterjackError` if `url` is not an http or https URL. */
export function connect({ url, token, retry, surroundings }: ConnectionOptions): Connection {
  const baseUrl = baseUrlOf(url);
  const api = createClient<paths>({
    baseUrl,
    fetch: retryingFetch({ ...DEFAULT_RETRY, ...retry }, surroundings),
    // Following a redirect would send the token to another address.
    redirect: 'error',
  });
  if (token !== undefined) {
    api.use({
      async onRequest({ request }) {
        request.headers.set('authorization', `Bearer ${typeof token === 'string' ? token : await token()}`);
      },
    });
  }
  return api;
}

function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return text.replace(/\/+$/, '');
  throw new QuarterjackError(
    `url is ${JSON.stringify(text)}; expected the URL of the API, such as https://host`,
  );
}

interface Result<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** The body of a successful response. Throws a `ProblemError` for any other. */
export async function bodyOf<Data>(call: Promise<Result<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await call;
  if (!response.ok) throw problemOf(response.status, error);
  return data as NonNullable<Data>;
}

/** The body of a successful response, with its ETag. Throws a `ProblemError` for any other. */
export async function bodyWithEtag<Data extends object>(
  call: Promise<Result<Data>>,
): Promise<NonNullable<Data> & { etag: string }> {
  const { data, error, response } = await call;
  if (!response.ok) throw problemOf(response.status, error);
  return { ...(data as NonNullable<Data>), etag: response.headers.get('etag') ?? '' };
}

/** Headers of a request that may safely be sent twice. */
export const REPEATABLE_HEADERS = { [REPEATABLE]: 'yes' };

/** Headers of a request that creates something. The API recognises a retry by the key. */
export const createHeaders = ({ idempotencyKey = globalThis.crypto.randomUUID() }: CreateOptions) => ({
  ...REPEATABLE_HEADERS,
  'Idempotency-Key': idempotencyKey,
});

/**
 * Headers of a request that changes a job. A change that is tied to an ETag must not be retried: if the first
 * try took effect, the API rejects the second.
 */
export const changeHeaders = ({ ifMatch }: ChangeOptions): Record<string, string> =>
  ifMatch === undefined ? REPEATABLE_HEADERS : { 'If-Match': ifMatch };
