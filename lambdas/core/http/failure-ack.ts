import * as z from 'zod/mini';

import { MAX_ACK_DAYS } from '../domain/failure-ack';
import { described, MAX_NOTE, textUpTo } from './fields';
import { instant, page } from './query-fields';

const MAX_FINGERPRINT = 400;
const fingerprint = (description: string) =>
  described(textUpTo(MAX_FINGERPRINT).check(z.minLength(1, 'must not be empty')), {
    description,
    examples: ['failed/attempts-exhausted/status/503/billing.example.com/1f0c9a2e'],
  });

/** Body of `PUT /v1/failures/acks`. */
export const FailureAckBody = described(
  z.strictObject({
    fingerprint: fingerprint('A cause that the last week has.'),
    note: described(z.optional(textUpTo(MAX_NOTE)), {
      description: `What is known about it, at most ${MAX_NOTE} characters.`,
    }),
    until: described(instant.check(), {
      description: `Within the next ${MAX_ACK_DAYS} days.`,
      format: 'date-time',
    }),
  }),
  { id: 'FailureAckRequest' },
);

export const ListFailureAcksQuery = z.strictObject(page);
export const DeleteFailureAckQuery = z.strictObject({ fingerprint: fingerprint('An acknowledged cause.') });
