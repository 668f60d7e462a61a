import type { DeploymentStatusView } from '../../lambdas/core/http/openapi/admin';
import type { Site } from './site/site';

/** What the API tells operators of the deployment. Throws if it refuses. */
export async function statusOf({ api }: Pick<Site, 'api'>): Promise<DeploymentStatusView> {
  const { status, body } = await api({ operation: 'getStatus' });
  if (status !== 200) throw new Error(`GET /v1/admin/status answered ${status}: ${JSON.stringify(body)}`);
  return body as DeploymentStatusView;
}
