import { randomUUID } from 'node:crypto';

import createClient, { type Client } from 'openapi-fetch';

import { problemOf, QuarterjackError } from './errors';
import type { ChangeOptions, ConnectionOptions, CreateOptions } from './options';
import { DEFAULT_RETRY, REPEATABLE, retryingFetch } from './retrying-fetch';
import type { paths } from './schema';

/** The typed calls of the API, authorized and repeated where that is safe. */
export type Connection = Client<paths>;

export function connect({ url, token, retry, surroundings }: ConnectionOptions): Connection {
  const baseUrl = baseUrlOf(url);
  const api = createClient<paths>({
    baseUrl,
    fetch: retryingFetch({ ...DEFAULT_RETRY, ...retry }, surroundings),
    // A redirect would carry the token to wherever it points.
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
    `url is ${JSON.stringify(text)}; expected that of the API, such as https://host`,
  );
}

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** What the API answered; throws a `ProblemError` where it refused. */
export async function answered<Data>(call: Promise<Answer<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await call;
  if (!response.ok) throw problemOf(response.status, error);
  return data as NonNullable<Data>;
}

/** The same with the ETag of what was answered. */
export async function answeredWithEtag<Data extends object>(
  call: Promise<Answer<Data>>,
): Promise<NonNullable<Data> & { etag: string }> {
  const { data, error, response } = await call;
  if (!response.ok) throw problemOf(response.status, error);
  return { ...(data as NonNullable<Data>), etag: response.headers.get('etag') ?? '' };
}

/** Headers of a request that may be sent again as it is. */
export const REPEATABLE_HEADERS = { [REPEATABLE]: 'yes' };

/** Headers of a request that makes something: by its key, its repeats are known as such. */
export const createHeaders = ({ idempotencyKey = randomUUID() }: CreateOptions) => ({
  ...REPEATABLE_HEADERS,
  'Idempotency-Key': idempotencyKey,
});

/**
 * Headers of a request that changes a job. Tied to an ETag, it must not be repeated blindly: where the first try took
 * effect unseen, its repeat would be refused.
 */
export const changeHeaders = ({ ifMatch }: ChangeOptions): Record<string, string> =>
  ifMatch === undefined ? REPEATABLE_HEADERS : { 'If-Match': ifMatch };
