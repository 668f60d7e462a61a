import * as z from 'zod';

import type { Operation } from '../../contracts/routes';
import { HealthView, PreviewView, SigningSecretView } from '../answers';
import { EmptyBody } from '../job';
import { PreviewBody } from '../queries';
import * as examples from './examples';
import type { OperationSpec } from './operation-spec';

/** Nobody's. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

export const SERVICE_OPERATIONS = {
  previewSchedule: {
    tag: 'Schedules',
    summary: 'See what a schedule would do',
    description: 'Its due times, and in words what it means. Notes say where clocks moved or doubled one.',
    body: {
      schema: PreviewBody,
      required: true,
      example: { schedule: examples.job.schedule, count: 2, from: '2026-12-02T00:00:00Z' },
    },
    answers: {
      200: {
        description: 'Due times and a description.',
        schema: PreviewView,
        example: { ...examples.times, description: 'At 09:30, Monday through Friday, in Europe/Berlin' },
      },
    },
  },
  getSigningSecret: {
    tag: 'Signing',
    summary: 'Get your signing secret',
    description: 'Deliveries to your targets are signed with it, by Standard Webhooks.',
    answers: {
      200: {
        description: 'The secret in force.',
        schema: SigningSecretView,
        example: { secret: SECRET, version: 1, signingAlong: [] },
      },
    },
  },
  rotateSigningSecret: {
    tag: 'Signing',
    summary: 'Rotate your signing secret',
    description:
      'The one before signs along for a day: within five minutes deliveries bear both signatures. At most 5 times a day.',
    headers: ['Idempotency-Key'],
    body: { schema: EmptyBody, required: false, example: {} },
    answers: {
      200: {
        description: 'The new secret.',
        schema: SigningSecretView,
        example: {
          secret: SECRET,
          version: 2,
          signingAlong: [{ version: 1, until: '2026-12-02T10:15:02.118Z' }],
        },
        headers: ['Idempotency-Replayed'],
      },
    },
    problems: [409],
  },
  getHealth: {
    tag: 'Service',
    summary: 'Ask whether requests reach the API',
    answers: { 200: { description: 'They do.', schema: HealthView, example: { status: 'pass' } } },
  },
  getOpenApi: {
    tag: 'Service',
    summary: 'Get this document',
    answers: {
      200: {
        description: 'OpenAPI 3.1.',
        schema: z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApiDocument' }),
        example: { openapi: '3.1.1' },
      },
    },
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
