import * as z from 'zod/mini';

import { described, wholeNumber } from './fields';

/** At most this many dead letters move in one request. */
const MAX_REDRIVE = 1_000;

export const RedriveBody = described(
  z.strictObject({
    queue: described(z.string().check(z.minLength(1), z.maxLength(130)), {
      description: 'A name as in `queues` of the status.',
    }),
    max: described(wholeNumber(1, MAX_REDRIVE), { description: 'Moves at most this many messages.' }),
  }),
  { id: 'RedriveRequest' },
);

export const StopBody = described(
  z.strictObject({
    reason: described(z.optional(z.string().check(z.minLength(1), z.maxLength(500))), {
      description: 'Why, for the list of stops.',
    }),
  }),
  { id: 'StopRequest' },
);
