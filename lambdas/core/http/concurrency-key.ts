import * as z from 'zod/mini';

import { CONCURRENCY_KEY, KEY_RULE, MAX_CONCURRENCY } from '../domain/concurrency-key';
import { DERIVED_KEY } from '../domain/job';
import { MAX_RATE, MAX_RATE_PER, MIN_RATE_PER } from '../domain/start-log';
import { described, duration, wholeNumber } from './fields';

/** How long a key of a job may be, with the path to its value. */
const MAX_DERIVED_LENGTH = 256;

const either = (one: RegExp, other: RegExp): RegExp => new RegExp(`${one.source}|${other.source}`);

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

/** What a job names: a key, or one that each execution completes from its payload. */
export const ConcurrencyKeyOfJob = described(
  z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(MAX_DERIVED_LENGTH),
      z.regex(
        either(CONCURRENCY_KEY, DERIVED_KEY),
        'must be 1 to 64 letters, digits or characters of "._-", the first a letter or digit; or 1 to 42 of ' +
          'them and one value of the payload at the end, as in "crm.{{ payload.tenant }}"',
      ),
    ),
  { examples: ['crm', 'crm.{{ payload.tenant }}'] },
);

/** A key, or the rule of all keys that begin so. */
export const ConcurrencyKeyOrRule = described(
  z
    .string()
    .check(
      z.regex(
        either(CONCURRENCY_KEY, KEY_RULE),
        'must be 1 to 64 letters, digits or characters of "._-", the first a letter or digit; or 1 to 42 of ' +
          'them and "*", for all keys that begin so',
      ),
    ),
  { examples: ['crm', 'crm.*'] },
);

/** Executions that wait, as shown with a key. */
export const MAX_WAITING_SHOWN = 10;

export const ConcurrencyKeyPath = z.strictObject({ key: ConcurrencyKeyOrRule });

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
