import { SigningSecretQuery } from '../../core/http/signing';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { requireLegacy, secretView } from './secret-view';

/** 200 with the secret that signs the project's deliveries to a host; without `host`, its legacy secret. */
export async function getSigningSecret(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { project } = request;
  const { host } = readQuery(request, SigningSecretQuery);
  const versions = await deps.users.secretVersions(project, host);
  if (host === undefined) requireLegacy(versions, deps);
  return { status: 200, body: await secretView({ project, host }, versions, deps) };
}
