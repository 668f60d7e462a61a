import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { secretView } from './secret-view';

/** What deliveries to this user's targets are signed with. */
export async function getSigningSecret({ userId }: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const versions = await deps.users.secretVersions(userId);
  return { status: 200, body: await secretView(userId, versions, deps) };
}
