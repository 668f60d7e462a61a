import * as z from 'zod/mini';

import { parseSigningHost } from '../domain/signing-host';
import { described } from './fields';

const EXPECTED = 'must be a host, such as example.com, or with a port other than 443: example.com:8443';
const MAX_SHOWN = 60;

/** A host as users write it, changed to the form that `signingHostOf` returns. */
const host = described(
  z.pipe(
    z.string(),
    z.transform((text: string, { issues }): string => {
      const parsed = parseSigningHost(text);
      if (parsed !== undefined) return parsed;
      const message = `${JSON.stringify(text.slice(0, MAX_SHOWN))} ${EXPECTED}`;
      issues.push({ code: 'custom', message, input: text });
      return z.NEVER;
    }),
  ),
  {
    description: 'Host of an HTTP target, as in its URL; with the port unless it is 443.',
    examples: ['example.com', 'example.com:8443'],
  },
);

/** Whose secret is asked for. Without `host`: the project's legacy secret. */
export const SigningSecretQuery = z.strictObject({ host: z.optional(host) });

/** `{ host }`, `{ "legacy": false }`, or nothing: the project's legacy secret is rotated. */
export const RotateBody = z
  .strictObject({
    host: z.optional(host),
    legacy: described(z.optional(z.literal(false, 'must be false: the legacy secret cannot sign again')), {
      description: '`false` ends the legacy secret of the project. That is final.',
    }),
  })
  .check(
    z.refine(({ host: given, legacy }) => given === undefined || legacy === undefined, {
      path: ['legacy'],
      message: 'must not be given beside host: end the legacy secret in a request of its own',
    }),
  );
described(RotateBody, { id: 'Rotation' });
