import * as z from 'zod/mini';

import { CONCURRENCY_KEY, MAX_CONCURRENCY } from '../domain/concurrency-key';
import { MAX_RATE, MAX_RATE_PER, MIN_RATE_PER } from '../domain/start-log';
import { described, duration, wholeNumber } from './fields';

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

/** How many executions start in a period. */
export const RateFields = described(
  z.strictObject({
    limit: described(wholeNumber(1, MAX_RATE), {
      description: 'Executions that start in a period, at most.',
    }),
    per: described(duration(MIN_RATE_PER, MAX_RATE_PER), { examples: ['1m'] }),
  }),
  { id: 'Rate', description: 'At most `limit` executions start in any period of the length `per`.' },
);

/** Body of `PUT /v1/concurrency-keys/{key}`. */
export const ConcurrencyKeyBody = described(
  z.strictObject({
    limit: described(wholeNumber(1, MAX_CONCURRENCY), {
      description: 'Executions that run at a time, at most. A lower limit lets those that run go on.',
    }),
    rate: z.optional(RateFields),
  }),
  { id: 'ConcurrencyKeyRequest' },
);
