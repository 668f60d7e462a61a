import * as z from 'zod';

import type { Operation } from '../../contracts/routes';
import { HealthView, LegacyEndedView, PreviewView, SigningSecretView } from '../answers';
import { PreviewBody } from '../queries';
import { RotateBody } from '../signing';
import * as examples from './examples';
import type { OperationSpec } from './operation-spec';

/** Not the secret of any user. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

export const SERVICE_OPERATIONS = {
  previewSchedule: {
    tag: 'Schedules',
    summary: 'Preview a schedule',
    description:
      'Returns the due times of a schedule and its meaning in words. Notes mark times that a change of clocks moved or repeated.',
    body: {
      schema: PreviewBody,
      required: true,
      example: { schedule: examples.job.schedule, count: 2, from: '2026-12-02T00:00:00Z' },
    },
    responses: {
      200: {
        description: 'The due times and a description.',
        schema: PreviewView,
        example: { ...examples.times, description: 'At 09:30, Monday through Friday, in Europe/Berlin' },
      },
    },
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
  getHealth: {
    tag: 'Service',
    summary: 'Check that requests reach the API',
    responses: {
      200: { description: 'The API is reachable.', schema: HealthView, example: { status: 'pass' } },
    },
  },
  getOpenApi: {
    tag: 'Service',
    summary: 'Get this document',
    responses: {
      200: {
        description: 'This document, in OpenAPI 3.1.',
        schema: z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApiDocument' }),
        example: { openapi: '3.1.1' },
      },
    },
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
