import { audited } from '../audit/audited';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { emailOf, endUnnamed } from './email-address';
import { requestedNotification } from './notification-view';

/**
 * 204. Order of writes: the subscription of its address → the row. So a request that fails can be repeated.
 * Rows about its secrets are left to the auditor.
 */
export async function deleteNotification(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const notification = await requestedNotification(request, deps);
  const { id, project } = notification;
  const to = emailOf(notification);
  const change = { what: 'notification.deleted', resource: id } as const;
  const remove = async () => {
    if (to !== undefined) await endUnnamed(project, to, deps, id);
    await deps.notifications.remove(project, id);
  };
  await audited(request, change, remove, deps);
  return { status: 204 };
}
