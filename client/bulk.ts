import { bodyOf, type Connection, createHeaders } from './connection';
import type { CreateOptions } from './options';
import type { BulkPage, BulkRequest } from './types';

/** One page of a bulk. Sending a page again does no harm, so it is retried like a read. */
export const bulkPage = (
  api: Connection,
  body: BulkRequest,
  options: CreateOptions & { idempotencyKey: string },
): Promise<BulkPage> => {
  const call = api.POST('/v1/bulk', { body, headers: createHeaders(options), signal: options.signal });
  return bodyOf(call, { matched: 'number', failed: ['jobId'] });
};

/**
 * All pages of a bulk, under one key. After a page that a quota has stopped, the next request gets 429, and
 * waits as `Retry-After` says.
 */
export async function* bulkPages(
  api: Connection,
  request: BulkRequest,
  options: CreateOptions,
): AsyncGenerator<BulkPage, void, undefined> {
  const idempotencyKey = options.idempotencyKey ?? globalThis.crypto.randomUUID();
  let { cursor } = request;
  do {
    const page = await bulkPage(api, { ...request, cursor }, { ...options, idempotencyKey });
    yield page;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
