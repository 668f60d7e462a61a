import type { ZodOpenApiMediaTypeObject, ZodOpenApiResponseObject } from 'zod-openapi';

import { GatewayMessage, ProblemView } from '../answers';

/** Title, kind and detail of an example for each status that the API answers with a problem. */
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
  400: 'Bad input; `errors` names each field.',
  401: 'No valid token. Where a JWT is asked for, it is API Gateway that says so.',
  403: 'The token does not allow it.',
  404: 'No such thing, or another user’s.',
  409: 'It does not fit what there is.',
  412: 'The job no longer has the ETag of `If-Match`.',
  413: 'Too large. Over 10 MB it is API Gateway that says so.',
  422: 'The `Idempotency-Key` was used with another body.',
  429: 'Too many, or over a quota. Throttling by API Gateway names no time.',
  500: 'A fault of Quarterjack; the log has its cause under `instance`.',
  503: 'No answer in time: the outcome is unknown, repeat the request.',
};

const BY_GATEWAY: ReadonlyMap<number, string> = new Map([
  [401, 'Unauthorized'],
  [413, 'Request Entity Too Large'],
  [429, 'Too Many Requests'],
  [500, 'Internal Server Error'],
  [503, 'Service Unavailable'],
]);
const RETRY_AFTER: ReadonlySet<number> = new Set([429, 503]);

/** The answers that are not a success, each one component of the document. */
export const problemAnswers = (): ReadonlyMap<ProblemStatus, ZodOpenApiResponseObject> =>
  new Map(STATUSES.map((status) => [status, problemAnswer(status)]));

const STATUSES = Object.keys(DESCRIPTIONS).map((status) => Number(status) as ProblemStatus);

const problemAnswer = (status: ProblemStatus): ZodOpenApiResponseObject => ({
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
  description: 'Seconds.',
  schema: { type: 'string', pattern: '^\\d+$' },
} as const;

function problemContent(status: ProblemStatus): ZodOpenApiMediaTypeObject {
  const [kind, title, detail] = PROBLEMS[status];
  return {
    schema: ProblemView,
    example: {
      type: `urn:quarterjack:problem:${kind}`,
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
