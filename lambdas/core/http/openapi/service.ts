import * as z from 'zod';

import type { Operation } from '../../contracts/routes';
import { PreviewBody } from '../queries';
import { PROBLEM_KINDS } from '../problem-kinds';
import { PreviewView } from './answers';
import * as examples from './examples';
import type { OperationSpec } from './operation-spec';

const HealthView = z.strictObject({ status: z.literal('pass') }).meta({ id: 'Health' });

export const ApiVersionView = z
  .strictObject({
    version: z.string().meta({ description: 'Version of Quarterjack.' }),
    api: z.literal('v1').meta({ description: 'Version of the API: the first part of its paths.' }),
    features: z
      .array(z.string())
      .meta({ description: 'What a client may ask for by name. A name stays as long as this `api`.' }),
  })
  .meta({ id: 'ApiVersion' });
export type ApiVersionView = z.output<typeof ApiVersionView>;

export const ProblemKindView = z
  .strictObject({
    kind: z.string(),
    title: z.string(),
    status: z.int(),
    meaning: z.string(),
    advice: z.string().meta({ description: 'What the client can do.' }),
  })
  .meta({ id: 'ProblemKind', description: 'What the `type` of a problem means.' });
export type ProblemKindView = z.output<typeof ProblemKindView>;

const endpoint = (what: string) =>
  z.string().meta({ description: `${what}: a URL, or a path at the origin of the API.` });

const SignInView = z
  .strictObject({
    issuer: z.string().meta({ description: 'Issuer of the tokens, their claim `iss`.' }),
    authorizationEndpoint: endpoint('Where the user signs in'),
    tokenEndpoint: endpoint('Where a code is exchanged for tokens'),
    clientId: z.string().meta({ description: 'A public client: it has no secret.' }),
    scopes: z.array(z.string()).meta({ description: 'The scopes to ask for.' }),
    callbackUrls: z
      .array(z.string())
      .meta({ description: 'Where the sign-in page may send the user back to.' }),
    version: z.string().meta({ description: 'Version of Quarterjack.' }),
  })
  .meta({ id: 'SignIn' });

/** The body of a request that API Gateway rejects itself. */
export const GatewayMessage = z.object({ message: z.string() }).meta({
  id: 'GatewayMessage',
  description:
    'The body of a request that API Gateway rejects itself: no valid token, throttled, or over 10 MB.',
});

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
