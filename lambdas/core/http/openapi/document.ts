import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';

import {
  isPublic,
  type Operation,
  projectScopeOf,
  rolesFor,
  type Route,
  ROUTES,
} from '../../contracts/routes';
import { CalendarId, IDEMPOTENCY_KEY, JobId, MAX_NOTE, NOTE_HEADER, PROJECT_HEADER } from '../fields';
import { QUERIES } from '../queries';
import { ATTEMPT_OPERATIONS } from './attempt';
import { ACCESS_OPERATIONS } from './access';
import { ADMIN_OPERATIONS } from './admin';
import { BACKFILL_OPERATIONS } from './backfill';
import { BULK_OPERATIONS } from './bulk';
import { FAILURE_ACK_OPERATIONS } from './failure-ack';
import { CALENDAR_OPERATIONS } from './calendar';
import { CHANGE_OPERATIONS } from './change';
import { EVENT_OPERATIONS } from './event';
import { CONCURRENCY_OPERATIONS } from './concurrency';
import { EXECUTION_OPERATIONS } from './execution';
import { JOB_OPERATIONS } from './job';
import { LOOKUP_OPERATIONS } from './lookup';
import { STATS_OPERATIONS } from './stats';
import {
  type OperationSpec,
  type RequestHeader,
  type ResponseHeader,
  type ResponseSpec,
  TAGS,
} from './operation-spec';
import { problemResponses, type ProblemStatus } from './problems';
import { NotificationTargetRequest } from '../notification';
import { NOTIFICATION_OPERATIONS } from './notification';
import { ConcurrencyKeyOrRule } from '../concurrency-key';
import { SecretName } from '../secret';
import { WorkQueueName } from '../work';
import { PROJECT_OPERATIONS } from './project';
import { PING_OPERATIONS } from './ping';
import { SECRET_OPERATIONS } from './secret';
import { SERVICE_OPERATIONS } from './service';
import { WORK_OPERATIONS } from './work';
import { WORKFLOW_OPERATIONS } from './workflow';
import { WEBHOOKS } from './webhooks';

/** Every operation of the route table. A route without its part here does not compile. */
const SPECS: Readonly<Record<Operation, OperationSpec>> = {
  ...JOB_OPERATIONS,
  ...CALENDAR_OPERATIONS,
  ...CHANGE_OPERATIONS,
  ...EXECUTION_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...LOOKUP_OPERATIONS,
  ...STATS_OPERATIONS,
  ...BACKFILL_OPERATIONS,
  ...BULK_OPERATIONS,
  ...FAILURE_ACK_OPERATIONS,
  ...ATTEMPT_OPERATIONS,
  ...ACCESS_OPERATIONS,
  ...PROJECT_OPERATIONS,
  ...SERVICE_OPERATIONS,
  ...ADMIN_OPERATIONS,
  ...PING_OPERATIONS,
  ...SECRET_OPERATIONS,
  ...WORKFLOW_OPERATIONS,
  ...WORK_OPERATIONS,
  ...NOTIFICATION_OPERATIONS,
  ...CONCURRENCY_OPERATIONS,
};

/** What the caller of a route needs, from the tables of routes and roles. */
function accessOf(route: Route): string | undefined {
  if (isPublic(route.auth)) return undefined;
  if (route.auth === 'token') return 'Any valid token, of any project.';
  const roles = rolesFor(route);
  const needed = `Scope: \`${route.auth}\`${scopesOfActions(route)}.`;
  return roles.length === 0 ? needed : `${needed} Roles: ${roles.join(', ')}.`;
}

/** `, with the actions delete and patch \`jobs:write\`` */
function scopesOfActions({ auth, scopeOfAction = {} }: Route): string {
  const others = Object.entries(scopeOfAction).filter(([, scope]) => scope !== auth);
  return [...new Set(others.map(([, scope]) => scope))]
    .map((scope) => {
      const actions = others.filter(([, needed]) => needed === scope).map(([action]) => `\`${action}\``);
      return `; of ${actions.join(' and ')} \`${scope}\``;
    })
    .join('');
}

const PATH_PARAMETERS: Readonly<Record<string, z.core.$ZodType>> = {
  jobId: JobId.check(z.meta({ examples: ['invoice-reminder-42'] })),
  calendarId: CalendarId,
  keyId: z.string().meta({ examples: ['3k9x0c2m7q4t8v1b'] }),
  number: z
    .int()
    .min(1)
    .meta({ description: 'Number of a change.', examples: [3] }),
  execId: z.string().meta({ examples: ['20261201T083000.000Z'] }),
  name: SecretName,
  taskId: z.string().meta({ examples: ['extract'] }),
  index: z
    .int()
    .min(0)
    .meta({ description: 'Index of an item, from 0.', examples: [3] }),
  version: z.string().meta({ examples: ['k3J9xQ2m1pZr8sT0vWyA1B'] }),
  id: JobId.check(z.meta({ examples: ['ops'] })),
  key: ConcurrencyKeyOrRule,
  kind: z.string().meta({ examples: ['quota-exceeded'] }),
  queue: WorkQueueName,
};

const REQUEST_HEADERS: Record<RequestHeader, z.ZodType> = {
  'Idempotency-Key': z.string().regex(IDEMPOTENCY_KEY).meta({
    description:
      'A text that the client chooses, with or without quotes. A request with it can be repeated without a second effect.',
  }),
  'If-None-Match': z.string().meta({
    description:
      'ETags, or `*` for any. A change succeeds only if the job has none of them, so `*` means: if it does not exist. A ' +
      'read is answered with 304 if the state has one of them. An ETag of a job is that of its definition.',
  }),
  'If-Match': z.string().meta({
    description: 'ETags: the request succeeds only if the job still has one of them. `*`: only if it exists.',
  }),
};

/** The header that names one of several projects. */
const PROJECT = {
  [PROJECT_HEADER]: z
    .string()
    .meta({ description: 'The project that the request is for. Needed if the token has several.' })
    .optional(),
};
const takesProject = (route: Route): boolean => route.auth === 'token' || projectScopeOf(route) !== undefined;

/** The header with what an actor writes about a change: every route that makes one takes it. */
const NOTE = {
  [NOTE_HEADER]: z
    .string()
    .meta({
      description: `Why the change is made: UTF-8, percent-encoded, at most ${MAX_NOTE} characters after decoding.`,
      examples: ['moved%20to%20the%20new%20host'],
    })
    .optional(),
};
const takesNote = ({ method, auth }: Route): boolean =>
  method !== 'GET' && !isPublic(auth) && auth !== 'jobs:read';

const RESPONSE_HEADERS: Record<ResponseHeader, string> = {
  ETag: 'Changes with each change of the job’s definition.',
  Location: 'Path of the new resource.',
  'Idempotency-Replayed': '`true` if an earlier request with the same key had this effect.',
  'Retry-After': 'Seconds after which to go on, if `stoppedBy` is present.',
  'Quarterjack-Dry-Run': 'Only of a dry run: what would be done: `created`, `replaced` or `unchanged`.',
};

/** The OpenAPI 3.1 document of the whole API, made from the schemas that also parse requests. */
export function openApiDocument(): ReturnType<typeof createDocument> {
  const definition: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: {
      title: 'Quarterjack',
      version: '1',
      description:
        'A serverless, distributed job scheduler. It delivers one-time, interval and cron jobs on time as signed webhooks, ' +
        'and keeps the history of each job. Each response names its request: `Quarterjack-Request-Id`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }], // relative to the URL of the document
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ token: [] }],
    paths: pathsOf(ROUTES),
    webhooks: WEBHOOKS,
    components: {
      // Its schema parses by the type, so the request only refers to this.
      schemas: { NotificationTarget: NotificationTargetRequest },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'The token names projects and scopes. Both its scopes and its role in the project must contain the ' +
            'scope of the operation.',
        },
        attempt: {
          type: 'http',
          scheme: 'bearer',
          description: 'The `Quarterjack-Token` header of a delivery.',
        },
        pingKey: { type: 'http', scheme: 'bearer', description: 'The key of a project for pings.' },
      },
    },
  };
  return createDocument(definition);
}

function pathsOf(routes: readonly Route[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  const problems = problemResponses();
  for (const route of routes) {
    const method = route.method.toLowerCase() as Lowercase<Route['method']>;
    paths[route.path] = { ...paths[route.path], [method]: operationOf(route, problems) };
  }
  return paths;
}

function operationOf(route: Route, problems: ReturnType<typeof problemResponses>): ZodOpenApiOperationObject {
  const { path, operation, auth } = route;
  const spec = SPECS[operation as Operation];
  const { body } = spec;
  return {
    operationId: operation,
    tags: [spec.tag],
    summary: spec.summary,
    description: [spec.description, accessOf(route)].filter(Boolean).join('\n\n') || undefined,
    security: securityOf(auth),
    requestParams: {
      path: z.object(pick(PATH_PARAMETERS, namesIn(path))),
      ...(Object.hasOwn(QUERIES, operation) && { query: QUERIES[operation as keyof typeof QUERIES] }),
      header: z.object({
        ...Object.fromEntries((spec.headers ?? []).map((name) => [name, REQUEST_HEADERS[name].optional()])),
        ...(takesNote(route) && NOTE),
        ...(takesProject(route) && PROJECT),
      }),
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
        Object.entries(spec.responses).map(([status, response]) => [status, responseOf(response)]),
      ),
      ...Object.fromEntries(problemsOf(spec, auth).map((status) => [status, problems.get(status)!])),
    },
  };
}

/** The security requirement of a route. The token of an attempt and a key for pings have no scopes. */
function securityOf(auth: Route['auth']): Record<string, string[]>[] {
  if (isPublic(auth)) return auth === 'none' ? [] : [{ [auth === 'attempt' ? auth : 'pingKey']: [] }];
  return [{ token: auth === 'token' ? [] : [auth] }];
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

const responseOf = ({
  description,
  schema,
  example,
  headers = [],
}: ResponseSpec): ZodOpenApiResponseObject => ({
  description,
  ...(headers.length > 0 && {
    headers: Object.fromEntries(
      headers.map((name) => [
        name,
        { description: RESPONSE_HEADERS[name], schema: { type: 'string' } as const },
      ]),
    ),
  }),
  ...(schema && { content: { 'application/json': { schema, example } } }),
});

/** The problems that any operation may return, and those of this one. */
function problemsOf({ body, problems = [] }: OperationSpec, auth: Route['auth']): ProblemStatus[] {
  const asUser = auth === 'none' ? [] : isPublic(auth) ? ([401] as const) : ([401, 403] as const);
  const withBody = body ? ([413, 415] as const) : [];
  return [400 as const, ...asUser, ...problems, ...withBody, 429 as const, 500 as const, 503 as const];
}
