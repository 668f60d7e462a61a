import * as z from 'zod';

import type { Operation } from '../../contracts/routes';
import { HealthView, PreviewView, SigningSecretView } from '../answers';
import { MeView, UsageView } from '../project-answers';
import { EmptyBody } from '../job';
import { PreviewBody } from '../queries';
import * as examples from './examples';
import type { OperationSpec } from './operation-spec';

/** Not the secret of any user. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

const QUOTAS = {
  jobs: 100_000,
  firesPerMinute: 100_000,
  payloadBytes: 1_000_000_000,
  requestsPerMinute: 30_000,
  changesPerMinute: 10_000,
  runsPerMinute: 3_000,
};
const ME: MeView = {
  by: { sub: '8d0f1f5e-0b4e-4d5b-9a8c-3a1c2f7e6b11', name: 'ann@example.com', via: 'token' },
  project: 'billing',
  role: 'viewer',
  projects: [{ name: 'billing', role: 'viewer' }],
  scopes: ['jobs:read'],
  stage: 'prod',
  version: '0.1.0',
  region: 'eu-central-1',
  pools: ['default'],
  quotas: QUOTAS,
  retentionDays: 90,
  targetPolicy: 'public',
  signing: { legacy: true },
};
const USAGE: UsageView = {
  jobs: { used: 240, allowed: QUOTAS.jobs },
  firesPerMinute: { used: 12.5, allowed: QUOTAS.firesPerMinute },
  payloadBytes: { used: 90_112, allowed: QUOTAS.payloadBytes },
  requestsPerMinute: { used: 300, allowed: QUOTAS.requestsPerMinute },
  changesPerMinute: { used: 0, allowed: QUOTAS.changesPerMinute },
  runsPerMinute: { used: 0, allowed: QUOTAS.runsPerMinute },
};

export const SERVICE_OPERATIONS = {
  getMe: {
    tag: 'Access',
    summary: 'See who you are, and what you may do',
    description:
      'Works with any valid token. A token of several projects may name one by `Quarterjack-Project`.',
    responses: { 200: { description: 'The caller and the deployment.', schema: MeView, example: ME } },
  },
  getUsage: {
    tag: 'Access',
    summary: 'See what your project uses of its quotas',
    responses: { 200: { description: 'Used and allowed, by quota.', schema: UsageView, example: USAGE } },
  },
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
    summary: 'Get your signing secret',
    description: 'Deliveries to your targets are signed with this secret, by Standard Webhooks.',
    responses: {
      200: {
        description: 'The current secret.',
        schema: SigningSecretView,
        example: { secret: SECRET, version: 1, signingAlong: [] },
      },
    },
  },
  rotateSigningSecret: {
    tag: 'Signing',
    summary: 'Rotate your signing secret',
    description:
      'The previous secret also signs for one more day. Within five minutes of the rotation, all deliveries carry ' +
      'both signatures. A secret can be rotated 5 times a day.',
    headers: ['Idempotency-Key'],
    body: { schema: EmptyBody, required: false, example: {} },
    responses: {
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
