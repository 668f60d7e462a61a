import * as z from 'zod/mini';

import { MAX_HOSTS, SECRET_KINDS, SECRET_VALUE } from '../domain/secret';
import { SECRET_NAME } from '../domain/secret-reference';
import { described } from './fields';

/** As in `allowedTargetHosts`; besides, names without a dot and IPv6 addresses without their brackets. */
const HOST =
  /^(?:(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z0-9]|[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?|[0-9a-f]*:[0-9a-f:.]*)$/;
const HOST_TEXT = 'must be a host in lower case, such as "example.com" or "*.example.com", without a port';
const HOSTS_TEXT = `must have 1 to ${MAX_HOSTS} hosts`;

export const SecretName = described(
  z
    .string()
    .check(z.regex(SECRET_NAME, 'must be 1 to 64 letters, digits, "_" or "-", the first a letter or "_"')),
  { examples: ['crm'] },
);

export const SecretPath = z.strictObject({ name: SecretName });

const { minCharacters, maxBytes, maxPemBytes } = SECRET_VALUE;

/** Body of `PUT /v1/secrets/{name}`. No error repeats the value. */
export const SecretBody = described(
  z
    .strictObject({
      value: described(
        z
          .string('must be a text')
          .check(z.minLength(minCharacters, `must have at least ${minCharacters} characters`)),
        { description: 'No response ever has it.', writeOnly: true },
      ),
      kind: described(z._default(z.enum(SECRET_KINDS), 'text'), {
        description: '`pem`: certificates or a private key for `tls`.',
      }),
      hosts: described(
        z
          .array(z.string().check(z.maxLength(253, HOST_TEXT), z.regex(HOST, HOST_TEXT)))
          .check(z.minLength(1, HOSTS_TEXT), z.maxLength(MAX_HOSTS, HOSTS_TEXT)),
        {
          description:
            'The only hosts that the secret goes to, also of token endpoints: `example.com`, or `*.example.com` for the hosts below it.',
        },
      ),
    })
    .check(
      z.superRefine(({ value, kind }, context) => {
        const most = kind === 'pem' ? maxPemBytes : maxBytes;
        if (Buffer.byteLength(value) <= most) return;
        const pem = kind === 'pem' ? '' : `, or ${maxPemBytes} with kind "pem"`;
        context.addIssue({
          code: 'custom',
          path: ['value'],
          message: `must have at most ${most} bytes in UTF-8${pem}`,
        });
      }),
    ),
  { id: 'SecretRequest' },
);
export type SecretBody = z.output<typeof SecretBody>;
