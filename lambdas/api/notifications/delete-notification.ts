import { audited } from '../audit/audited';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { requestedNotification } from './notification-view';

/** 204. Rows about its secrets are left to the auditor. */
export async function deleteNotification(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { id, project } = await requestedNotification(request, deps);
  const change = { what: 'notification.deleted', resource: id } as const;
  await audited(request, change, () => deps.notifications.remove(project, id), deps);
  return { status: 204 };
}
