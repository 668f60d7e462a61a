import * as z from 'zod/mini';

import { ACTION } from '../contracts/allowed-actions';
import { mentionsSecrets } from '../domain/secret-reference';
import { MAX_PAYLOAD_BYTES } from '../domain/target-limits';
import { anyRecord, described } from './fields';

/** A region of AWS, such as `eu-central-1`. */
export const regionText = () =>
  z.string().check(z.regex(/^[a-z]{2}(?:-[a-z]+){1,3}-\d$/, 'must be a region, such as "eu-central-1"'));

/** `delivery/actions/` checks it by the schema of the action. */
const input = anyRecord().check(
  z.superRefine((given, context) => {
    const text = JSON.stringify(given);
    const bytes = new TextEncoder().encode(text).length;
    if (bytes > MAX_PAYLOAD_BYTES)
      context.addIssue(`must have at most ${MAX_PAYLOAD_BYTES} bytes as JSON, not ${bytes}`);
    if (mentionsSecrets(text)) context.addIssue('must not name a secret: its service shows it');
  }),
);

/** One call of an action of AWS. */
export const ActionFields = z.strictObject({
  type: z.literal('aws'),
  action: described(
    z.string().check(z.regex(ACTION, 'must be a service and an operation, such as "kinesis:PutRecord"')),
    {
      description: 'A service and its operation, if the deployment allows it.',
      examples: ['kinesis:PutRecord'],
    },
  ),
  input: described(z._default(input, {}), {
    description: 'What the operation takes, by the names of its members. No secrets.',
  }),
  region: described(z.optional(regionText()), {
    description: 'Default: that of the deployment.',
  }),
});
