import * as z from 'zod/mini';

import { KEY_ROLES, KEY_SCOPES } from '../domain/api-key';
import { described, singleLine } from './fields';
import { instant } from './query-fields';

/** Keeps a key's row below 1 KB. */
const MAX_QUEUES = 10;
const QUEUES_ALLOWED = `must have 1 to ${MAX_QUEUES} names`;
/** Name of a work queue, in which `*` matches any text. */
const QUEUE_PATTERN = /^[A-Za-z0-9._*-]{1,64}$/;

const NO_REPEATS = z.refine<readonly string[]>(
  (texts) => new Set(texts).size === texts.length,
  'must name each once',
);

export const ApiKeyBody = described(
  z.strictObject({
    name: described(singleLine(1, 64), {
      description: 'For people. What the key does is on record as `key:<name>`.',
    }),
    role: z.enum(KEY_ROLES),
    scopes: described(
      z.optional(
        z.array(z.enum(KEY_SCOPES)).check(z.minLength(1, 'must name at least one scope'), NO_REPEATS),
      ),
      {
        description:
          'Scopes of the role that the key has. Default: all that its creator has too; `runs:approve` only ' +
          'with the role `approver`.',
      },
    ),
    queues: described(
      z.optional(
        z
          .array(
            z
              .string()
              .check(z.regex(QUEUE_PATTERN, 'must be 1 to 64 letters, digits or characters of "._*-"')),
          )
          .check(z.minLength(1, QUEUES_ALLOWED), z.maxLength(MAX_QUEUES, QUEUES_ALLOWED), NO_REPEATS),
      ),
      {
        description: 'The only work queues that the key may use; `*` matches any text.',
        examples: [['warehouse', 'etl-*']],
      },
    ),
    expiresAt: described(z.optional(instant), { description: 'Default: a year from now.' }),
  }),
  { id: 'ApiKeyRequest' },
);
export type ApiKeyBody = z.output<typeof ApiKeyBody>;
