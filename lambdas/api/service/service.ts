import type { ApiResponse, ApiDeps, ApiRequest } from '../request';
import { notFound } from '../http/problem';

/** 200: requests reach the API. Checks no store and no queue. */
export const getHealth = (): Promise<ApiResponse> =>
  Promise.resolve({ status: 200, body: { status: 'pass' } });

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
