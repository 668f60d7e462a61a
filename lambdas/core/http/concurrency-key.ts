import * as z from 'zod/mini';

import { CONCURRENCY_KEY, MAX_CONCURRENCY } from '../domain/concurrency-key';
import { described, wholeNumber } from './fields';

/** The name of a concurrency key. */
export const ConcurrencyKeyName = described(
  z
    .string()
    .check(
      z.regex(
        CONCURRENCY_KEY,
        'must be 1 to 64 letters, digits or characters of "._-", the first a letter or digit',
      ),
    ),
  { examples: ['crm'] },
);

/** Executions that wait, as shown with a key. */
export const MAX_WAITING_SHOWN = 10;

export const ConcurrencyKeyPath = z.strictObject({ key: ConcurrencyKeyName });

/** Body of `PUT /v1/concurrency-keys/{key}`. */
export const ConcurrencyKeyBody = described(
  z.strictObject({
    limit: described(wholeNumber(1, MAX_CONCURRENCY), {
      description: 'Executions that run at a time, at most. A lower limit lets those that run go on.',
    }),
  }),
  { id: 'ConcurrencyKeyRequest' },
);
