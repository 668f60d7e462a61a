import type { ZodOpenApiMediaTypeObject, ZodOpenApiResponseObject } from 'zod-openapi';

import { ProblemView } from './answers';
import { GatewayMessage } from './service';

/** Kind, title and detail of an example problem for each status. */
const PROBLEMS = {
  400: ['invalid-request', 'Invalid request', 'schedule: is required'],
  401: [
    'unauthorized',
    'Unauthorized',
    'expected "Authorization: Bearer" with the Quarterjack-Token of an attempt',
  ],
  403: ['forbidden', 'Forbidden', 'the token lacks the scope jobs:write'],
  404: ['not-found', 'Not found', 'no such job'],
  409: ['conflict', 'Conflict', 'the jobId "invoice-reminder-42" is taken'],
  412: ['precondition-failed', 'Precondition failed', 'the job no longer has the ETag of If-Match'],
  413: ['too-large', 'Too large', 'payload must have at most 65536 bytes as JSON, not 70000'],
  415: [
    'unsupported-media-type',
    'Unsupported media type',
    'the body has the Content-Encoding "gzip"; send it as it is',
  ],
  422: [
    'idempotency-key-reused',
    'Idempotency-Key reused',
    'this Idempotency-Key was used with another body',
  ],
  429: ['too-many-requests', 'Too many requests', 'try again after the time that Retry-After names'],
  500: ['internal', 'Internal error', 'something went wrong that is not the request’s fault'],
  503: ['unavailable', 'Unavailable', 'no answer from the store in time; the outcome is unknown'],
} as const;
export type ProblemStatus = keyof typeof PROBLEMS;

const DESCRIPTIONS: Record<ProblemStatus, string> = {
  400: 'The input is invalid. `errors` names each field.',
  401: 'The token is missing or invalid. On routes that take a JWT, this response comes from API Gateway.',
  403: 'The token does not permit the operation.',
  404: 'The resource does not exist, or belongs to another project.',
  409: 'The request conflicts with the current state.',
  412: 'The job does not have the state that `If-Match` or `If-None-Match` requires.',
  413: 'The request is too large. Above 10 MB, this response comes from API Gateway.',
  415: 'The body is compressed, or is a patch of another kind than a JSON merge patch.',
  422: 'The `Idempotency-Key` was already used with another body.',
  429: 'There are too many requests, or a quota is exceeded. API Gateway throttles without `Retry-After`.',
  500: 'An error in Quarterjack. The log has its cause under `instance`.',
  503: 'A dependency did not respond in time. The outcome is unknown: repeat the request.',
};

const BY_GATEWAY: ReadonlyMap<number, string> = new Map([
  [401, 'Unauthorized'],
  [413, 'Request Entity Too Large'],
  [429, 'Too Many Requests'],
  [500, 'Internal Server Error'],
  [503, 'Service Unavailable'],
]);
const RETRY_AFTER: ReadonlySet<number> = new Set([429, 503]);

/** The error responses by status. Each is one component of the document. */
export const problemResponses = (): ReadonlyMap<ProblemStatus, ZodOpenApiResponseObject> =>
  new Map(STATUSES.map((status) => [status, problemResponse(status)]));

const STATUSES = Object.keys(DESCRIPTIONS).map((status) => Number(status) as ProblemStatus);

const problemResponse = (status: ProblemStatus): ZodOpenApiResponseObject => ({
  id: `Problem${status}`,
  description: DESCRIPTIONS[status],
  ...(RETRY_AFTER.has(status) ? { headers: { 'Retry-After': RETRY_AFTER_HEADER } } : {}),
  ...(status === 401 ? { headers: { 'WWW-Authenticate': { schema: { type: 'string' } } } } : {}),
  content: {
    'application/problem+json': problemContent(status),
    ...gatewayContent(status),
  },
});

const RETRY_AFTER_HEADER = {
  description: 'Seconds to wait before the next try.',
  schema: { type: 'string', pattern: '^\\d+$' },
} as const;

function problemContent(status: ProblemStatus): ZodOpenApiMediaTypeObject {
  const [kind, title, detail] = PROBLEMS[status];
  return {
    schema: ProblemView,
    example: {
      type: `https://jobs.example.com/v1/problems/${kind}`,
      title,
      status,
      detail,
      instance: 'urn:quarterjack:request:JKJaXmPLvHcESHA%3D',
      ...(status === 400 ? { errors: [{ path: 'schedule', message: 'is required' }] } : {}),
    },
  };
}

function gatewayContent(status: number): Record<string, ZodOpenApiMediaTypeObject> {
  const message = BY_GATEWAY.get(status);
  return message === undefined
    ? {}
    : { 'application/json': { schema: GatewayMessage, example: { message } } };
}
