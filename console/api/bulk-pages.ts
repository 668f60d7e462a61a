import type { PageOf } from './bulk';
import { call } from './client';

/** One page of `POST /v1/bulk`. */
export const pageOfApi: PageOf = (request, idempotencyKey) =>
  call(async (api) => {
    for await (const page of api.bulk(request, { idempotencyKey })) return page;
    throw new Error('the API answered no page');
  });
