import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';

import { type Operation, type Route, ROUTES } from '../../contracts/routes';
import { IDEMPOTENCY_KEY, JobId } from '../fields';
import { QUERIES } from '../queries';
import { ATTEMPT_OPERATIONS } from './attempt-operations';
import { ADMIN_OPERATIONS } from './admin-operations';
import { EXECUTION_OPERATIONS } from './execution-operations';
import { JOB_OPERATIONS } from './job-operations';
import type { Answer, AnswerHeader, OperationSpec, RequestHeader, Tag } from './operation-spec';
import { problemAnswers, type ProblemStatus } from './problems';
import { SERVICE_OPERATIONS } from './service-operations';

/** Every operation of the route table must be here: a new route without its part does not compile. */
const SPECS: Readonly<Record<Operation, OperationSpec>> = {
  ...JOB_OPERATIONS,
  ...EXECUTION_OPERATIONS,
  ...ATTEMPT_OPERATIONS,
  ...SERVICE_OPERATIONS,
  ...ADMIN_OPERATIONS,
};

const TAGS: Record<Tag, string> = {
  Jobs: 'Definitions: a schedule, a target and policies.',
  Executions: 'What became of each occurrence and manual run.',
  Attempts: 'What targets of mode `async` report, with the token of their delivery.',
  Schedules: 'Schedules before there is a job.',
  Signing: 'What deliveries are signed with.',
  Service: 'The API itself.',
  Operations: 'The deployment, for whoever runs it.',
};

const SCOPES: Record<Route['auth'], string | undefined> = {
  none: undefined,
  attempt: undefined,
  'jobs:read': 'Scope: `jobs:read`.',
  'jobs:write': 'Scope: `jobs:write`.',
  admin: 'Scope: `admin`.',
};

const PATH_PARAMETERS: Readonly<Record<string, z.core.$ZodType>> = {
  jobId: JobId.check(z.meta({ examples: ['invoice-reminder-42'] })),
  execId: z.string().meta({ examples: ['20261201T083000.000Z'] }),
};

const REQUEST_HEADERS: Record<RequestHeader, z.ZodType> = {
  'Idempotency-Key': z.string().regex(IDEMPOTENCY_KEY).meta({
    description:
      'One’s own text, in quotes or not: a request that bears it may be repeated without doubling.',
  }),
  'If-None-Match': z.string().meta({ description: '`*`: do it only where there is no such job.' }),
  'If-Match': z.string().meta({ description: 'Do it only while the job has this ETag, or `*`: exists.' }),
};

const ANSWER_HEADERS: Record<AnswerHeader, string> = {
  ETag: 'Changes with every change of the definition.',
  Location: 'Where what was made can be read.',
  'Idempotency-Replayed': '`true` where an earlier request with the same key had done it.',
};

/** The OpenAPI 3.1 document of the whole API, from the schemas that validate. */
export function openApiDocument(): ReturnType<typeof createDocument> {
  const definition: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: {
      title: 'Quarterjack',
      version: '1',
      description:
        'A serverless, distributed job scheduler. One-time, interval and cron jobs, delivered on time as signed webhooks, each with its history.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // where the document was got from
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ token: [] }],
    paths: pathsOf(ROUTES),
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The user is the token’s `sub`. Its `scope` must hold what the operation asks for.',
        },
        attempt: {
          type: 'http',
          scheme: 'bearer',
          description: 'The `Quarterjack-Token` of a delivery.',
        },
      },
    },
  };
  return createDocument(definition);
}

function pathsOf(routes: readonly Route[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  const problems = problemAnswers();
  for (const route of routes) {
    const method = route.method.toLowerCase() as Lowercase<Route['method']>;
    paths[route.path] = { ...paths[route.path], [method]: operationOf(route, problems) };
  }
  return paths;
}

function operationOf(
  { path, operation, auth }: Route,
  problems: ReturnType<typeof problemAnswers>,
): ZodOpenApiOperationObject {
  const spec = SPECS[operation as Operation];
  const { body } = spec;
  return {
    operationId: operation,
    tags: [spec.tag],
    summary: spec.summary,
    description: [spec.description, SCOPES[auth]].filter(Boolean).join('\n\n') || undefined,
    security: securityOf(auth),
    requestParams: {
      path: z.object(pick(PATH_PARAMETERS, namesIn(path))),
      ...(Object.hasOwn(QUERIES, operation) && { query: QUERIES[operation as keyof typeof QUERIES] }),
      header: z.object(
        Object.fromEntries((spec.headers ?? []).map((name) => [name, REQUEST_HEADERS[name].optional()])),
      ),
    },
    ...(body && {
      requestBody: {
        required: body.required,
        content: Object.fromEntries(
          (body.types ?? ['application/json']).map((type) => [
            type,
            { schema: body.schema, example: body.example },
          ]),
        ),
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(spec.answers).map(([status, answer]) => [status, answerOf(answer)]),
      ),
      ...Object.fromEntries(problemsOf(spec, auth).map((status) => [status, problems.get(status)!])),
    },
  };
}

/** The token of an attempt has no scopes. */
function securityOf(auth: Route['auth']): Record<string, string[]>[] {
  if (auth === 'none') return [];
  return auth === 'attempt' ? [{ attempt: [] }] : [{ token: [auth] }];
}

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

const pick = (
  from: Readonly<Record<string, z.core.$ZodType>>,
  names: readonly string[],
): Record<string, z.core.$ZodType> =>
  Object.fromEntries(
    names.map((name) => {
      const schema = from[name];
      if (!schema) throw new Error(`the OpenAPI document knows no path parameter {${name}}`);
      return [name, schema];
    }),
  );

const answerOf = ({ description, schema, example, headers = [] }: Answer): ZodOpenApiResponseObject => ({
  description,
  ...(headers.length > 0 && {
    headers: Object.fromEntries(
      headers.map((name) => [
        name,
        { description: ANSWER_HEADERS[name], schema: { type: 'string' } as const },
      ]),
    ),
  }),
  ...(schema && { content: { 'application/json': { schema, example } } }),
});

/** What anybody may be answered, and what this operation may. */
function problemsOf({ body, problems = [] }: OperationSpec, auth: Route['auth']): ProblemStatus[] {
  const asUser = auth === 'none' ? [] : auth === 'attempt' ? ([401] as const) : ([401, 403] as const);
  const withBody = body ? ([413] as const) : [];
  return [400 as const, ...asUser, ...problems, ...withBody, 429 as const, 500 as const, 503 as const];
}
