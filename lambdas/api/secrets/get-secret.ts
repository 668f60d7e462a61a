import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { projectSecretView, requestedSecret } from './project-secret-view';

/** 200 with a secret, without its value. */
export const getSecret = async (request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> => ({
  status: 200,
  body: await projectSecretView(await requestedSecret(request, deps), deps),
});
