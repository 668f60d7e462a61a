import * as z from 'zod';

import { SECRET_KINDS } from '../../domain/secret';
import type { Operation } from '../../contracts/routes';
import { SecretBody, SecretName } from '../secret';
import { RotateBody } from '../signing';
import { ActorView } from './actor-answers';
import { Instant, nextCursor, orNull } from './answers';
import type { OperationSpec } from './operation-spec';

/** Jobs shown with a secret. */
const MAX_USERS = 100;

/** A secret without its value. */
export const SecretView = z
  .strictObject({
    name: SecretName,
    kind: z.enum(SECRET_KINDS),
    validUntil: orNull(Instant).meta({
      description: 'When the first of its certificates ends; null: it has none.',
    }),
    hosts: z.array(z.string()),
    updatedAt: Instant,
    by: ActorView,
    users: z.array(z.string()).meta({
      description: `Ids of jobs that use the secret, at most ${MAX_USERS}. A job that no longer uses it may be listed until the next audit.`,
    }),
    hasMoreUsers: z.boolean(),
  })
  .meta({ id: 'Secret', description: 'A secret of the project. No response has its value.' });
export type SecretView = z.output<typeof SecretView>;

const SecretPage = z.strictObject({ items: z.array(SecretView), nextCursor }).meta({ id: 'SecretPage' });

export const SigningSecretView = z
  .strictObject({
    host: orNull(z.string()).meta({
      description: 'The host whose deliveries the secret signs; null: the legacy secret of the project.',
    }),
    secret: z.string().meta({ description: '`whsec_…`, in the form of Standard Webhooks.' }),
    version: z.int().meta({ description: 'Rises with each rotation.' }),
    signingAlong: z
      .array(z.strictObject({ version: z.int(), until: Instant }))
      .meta({ description: 'Earlier versions that also sign deliveries, and until when.' }),
  })
  .meta({ id: 'SigningSecret' });
export type SigningSecretView = z.output<typeof SigningSecretView>;

export const LegacyEndedView = z
  .strictObject({ legacy: z.literal(false) })
  .meta({ id: 'LegacyEnded', description: 'The legacy secret of the project signs nothing any more.' });
export type LegacyEndedView = z.output<typeof LegacyEndedView>;

const example = {
  name: 'crm',
  kind: 'text',
  validUntil: null,
  hosts: ['api.crm.example'],
  updatedAt: '2026-12-01T08:30:00.000Z',
  by: { sub: 'alice', name: null, via: 'token' },
  users: ['sync-contacts'],
  hasMoreUsers: false,
};

/** Not the secret of any user. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

export const SECRET_OPERATIONS = {
  putSecret: {
    tag: 'Secrets',
    summary: 'Create or replace a secret',
    description:
      'Jobs name it as `{{ secrets.NAME }}`. Deliveries use the new value within a minute. ' +
      'The value is sealed, and no request can read it again.',
    body: {
      schema: SecretBody,
      required: true,
      example: { value: 'an API key of the CRM', hosts: ['api.crm.example'] },
    },
    responses: {
      200: { description: 'The secret was replaced.', schema: SecretView, example },
      201: { description: 'The secret was created.', schema: SecretView, example },
    },
    problems: [409],
  },
  listSecrets: {
    tag: 'Secrets',
    summary: 'List the secrets of the project',
    responses: {
      200: {
        description: 'A page of the secrets, by name.',
        schema: SecretPage,
        example: { items: [example], nextCursor: null },
      },
    },
  },
  getSecret: {
    tag: 'Secrets',
    summary: 'Get a secret without its value',
    responses: { 200: { description: 'The secret.', schema: SecretView, example } },
    problems: [404],
  },
  deleteSecret: {
    tag: 'Secrets',
    summary: 'Delete a secret',
    description:
      'If a job uses the secret: 409, unless `force` is true. Deliveries of such a job then fail with the reason `bad-input`.',
    responses: { 204: { description: 'The secret is deleted.' } },
    problems: [404, 409],
  },
  getSigningSecret: {
    tag: 'Signing',
    summary: 'Get the signing secret of a host',
    description:
      'Deliveries to HTTP targets at `host` are signed with this secret: the body by Standard Webhooks, and the ' +
      '`Quarterjack-…` headers by `Quarterjack-Signature`. Without `host`: the legacy secret of the project, which ' +
      'signs the bodies of deliveries to all hosts, until it is ended.',
    responses: {
      200: {
        description: 'The current secret.',
        schema: SigningSecretView,
        example: { host: 'example.com', secret: SECRET, version: 1, signingAlong: [] },
      },
    },
  },
  rotateSigningSecret: {
    tag: 'Signing',
    summary: 'Rotate a signing secret, or end the legacy one',
    description:
      'Rotates the secret of `host`; without it, the legacy secret. The previous secret also signs for one more day. ' +
      'Within five minutes of the rotation, all deliveries carry both signatures. A secret can be rotated 5 times a ' +
      'day, and the secrets of 100 hosts can be rotated. `{ "legacy": false }` ends the legacy secret within five ' +
      'minutes. That is final.',
    headers: ['Idempotency-Key'],
    body: { schema: RotateBody, required: false, example: { host: 'example.com' } },
    responses: {
      200: {
        description: 'The new secret; after `{ "legacy": false }`, that the legacy secret has ended.',
        schema: z.union([SigningSecretView, LegacyEndedView]),
        example: {
          host: 'example.com',
          secret: SECRET,
          version: 2,
          signingAlong: [{ version: 1, until: '2026-12-02T10:15:02.118Z' }],
        },
        headers: ['Idempotency-Replayed'],
      },
    },
    problems: [409, 422],
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
