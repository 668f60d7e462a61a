import * as z from 'zod';

import type { Operation } from '../../contracts/routes';
import { PreviewView } from '../times-answers';
import { MeView, UsageView } from '../project-answers';
import { PreviewBody } from '../queries';
import { LegacyEndedView, SigningSecretView } from '../secret-answers';
import { ApiVersionView, HealthView, ProblemKindView, SignInView } from '../service-answers';
import { RotateBody } from '../signing';
import { PROBLEM_KINDS } from '../problem-kinds';
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
  writtenBytesPerDay: 10_737_418_240,
  logBytesPerDay: 1_073_741_824,
  logBytesPerAttempt: 524_288,
  runsPerMinute: 3_000,
  reportsPerMinute: 600_000,
  liveRuns: 10_000,
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
  jobs: { used: 240, allowed: QUOTAS.jobs, approximate: false },
  firesPerMinute: { used: 12.5, allowed: QUOTAS.firesPerMinute, approximate: false },
  payloadBytes: { used: 90_112, allowed: QUOTAS.payloadBytes, approximate: false },
  requestsPerMinute: { used: 300, allowed: QUOTAS.requestsPerMinute, approximate: true },
  changesPerMinute: { used: 0, allowed: QUOTAS.changesPerMinute, approximate: true },
  writtenBytesPerDay: { used: 4_812_330, allowed: QUOTAS.writtenBytesPerDay, approximate: true },
  logBytesPerDay: { used: 0, allowed: QUOTAS.logBytesPerDay, approximate: false },
  runsPerMinute: { used: 0, allowed: QUOTAS.runsPerMinute, approximate: true },
  reportsPerMinute: { used: 0, allowed: QUOTAS.reportsPerMinute, approximate: true },
  liveRuns: { used: 4, allowed: QUOTAS.liveRuns, approximate: true },
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
  getApiVersion: {
    tag: 'Service',
    summary: 'Learn the version',
    description: 'Tells nothing of the account or the build.',
    responses: {
      200: {
        description: 'The version, and what it can do.',
        schema: ApiVersionView,
        example: { version: '0.1.0', api: 'v1', features: ['explain', 'workflows'] },
      },
    },
  },
  getProblem: {
    tag: 'Service',
    summary: 'Read what a type of problem means',
    description: 'The `type` of each problem is the URL of this route.',
    responses: {
      200: {
        description: 'The kind of problem.',
        schema: ProblemKindView,
        example: { kind: 'quota-exceeded', ...PROBLEM_KINDS['quota-exceeded'] },
      },
    },
    problems: [404],
  },
  getSignIn: {
    tag: 'Service',
    summary: 'Learn how to sign in',
    description:
      'What a program needs to sign a user in: OAuth 2.0 code flow with PKCE, without a client secret. Each endpoint ' +
      'is a URL, or a path at the origin of the API. 404 if the deployment does not tell it.',
    responses: {
      200: {
        description: 'The issuer, its endpoints and the client.',
        schema: SignInView,
        example: {
          issuer: 'https://login.example.com',
          authorizationEndpoint: 'https://login.example.com/oauth2/authorize',
          tokenEndpoint: 'https://login.example.com/oauth2/token',
          clientId: '7f3k2jq9d0',
          scopes: ['openid', 'jobs:read', 'jobs:write'],
          callbackUrls: [
            'http://localhost:8788/callback',
            'http://localhost:8789/callback',
            'http://localhost:8790/callback',
          ],
          version: '0.1.0',
        },
      },
    },
    problems: [404],
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
