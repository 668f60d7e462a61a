import { keepBulk } from '../app/kept-bulk';
import { type Bulk, bulkOfFilter, type PageOf } from './bulk';
import { call } from './client';

/** One page of `POST /v1/bulk`. */
export const pageOfApi: PageOf = (request, idempotencyKey) =>
  call(async (api) => {
    for await (const page of api.bulk(request, { idempotencyKey })) return page;
    throw new Error('the API answered no page');
  });

/** A bulk by the API, which a page that is loaded anew can go on with. */
export const bulkByApi = (bulk: Parameters<typeof bulkOfFilter>[0]): Bulk =>
  bulkOfFilter(bulk, pageOfApi, keepBulk);
