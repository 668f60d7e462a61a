import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { secretView } from './secret-view';

/** 200 with the secret that signs the deliveries to this user's targets. */
export async function getSigningSecret({ project }: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const versions = await deps.users.secretVersions(project);
  return { status: 200, body: await secretView(project, versions, deps) };
}
