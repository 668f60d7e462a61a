import { notFound } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** 200 with `SignIn`. 404 if the stage has an issuer of its own, and its configuration has no `signIn`. */
export async function getSignIn(_: ApiRequest, { settings }: ApiDeps): Promise<ApiResponse> {
  if (!settings.signIn) throw notFound('sign-in');
  return { status: 200, headers: { 'cache-control': 'public, max-age=300' }, body: settings.signIn };
}
