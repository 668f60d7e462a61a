import type { ApiVersionView, ProblemKindView } from '../../core/http/openapi/service';
import type { ApiResponse, ApiDeps, ApiRequest } from '../request';
import { notFound } from '../http/problem';

/** 200: requests reach the API. Checks no store and no queue. */
export const getHealth = (): Promise<ApiResponse> =>
  Promise.resolve({ status: 200, body: { status: 'pass' } });

/** What a client may ask for by name before it uses it. A name stays as long as the API is `v1`. */
const FEATURES = [
  'backfills',
  'bulk',
  'calendars',
  'events',
  'explain',
  'observe',
  'payloadSchema',
  'requestId',
  'runKey',
  'workQueues',
  'workflows',
];

/** 200 with the version of the code and of the API. Tells nothing of the account or the build. */
export function getApiVersion(_: ApiRequest, { deployment }: ApiDeps): Promise<ApiResponse> {
  const body: ApiVersionView = { version: deployment.version, api: 'v1', features: FEATURES };
  return Promise.resolve({ status: 200, headers: { 'cache-control': 'public, max-age=60' }, body });
}

/** 200 with what a kind of problem means. Its texts are loaded by the first request for one. */
export async function getProblem({ params: { kind = '' } }: ApiRequest): Promise<ApiResponse> {
  const { PROBLEM_KINDS } = await import('../../core/http/problem-kinds.ts');
  if (!Object.hasOwn(PROBLEM_KINDS, kind)) throw notFound('kind of problem');
  const body: ProblemKindView = { kind, ...PROBLEM_KINDS[kind as keyof typeof PROBLEM_KINDS] };
  return { status: 200, headers: { 'cache-control': 'public, max-age=300' }, body };
}

/** 200 with `SignIn`. 404 if the stage has an issuer of its own, and its configuration has no `signIn`. */
export async function getSignIn(_: ApiRequest, { settings }: ApiDeps): Promise<ApiResponse> {
  if (!settings.signIn) throw notFound('sign-in');
  return { status: 200, headers: { 'cache-control': 'public, max-age=300' }, body: settings.signIn };
}

let document: object | undefined;

/**
 * 200 with the OpenAPI document. Loaded and built by the first request for it, so other cold starts do not
 * pay.
 */
export async function getOpenApi(): Promise<ApiResponse> {
  if (!document) {
    const { openApiDocument } = await import('../../core/http/openapi/document.ts');
    document = openApiDocument();
  }
  return { status: 200, headers: { 'cache-control': 'public, max-age=300' }, body: document };
}
