import type { Notification } from '../../core/domain/notification';
import { ListNotificationsQuery } from '../../core/http/queries';
import { openCursor, pageView } from '../http/paging';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { notificationView } from './notification-view';

/** 200 with a page of the project's notifications by id. */
export async function listNotifications(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { cursor, limit } = readQuery(request, ListNotificationsQuery);
  const after = (await openCursor(cursor, request, deps.secret)) ?? '';
  const rest = (await deps.notifications.list(request.project)).filter(({ id }) => id > after);
  const items = rest.slice(0, limit);
  const nextAfter = rest.length > limit ? items.at(-1)?.id : undefined;
  const show = { view: notificationView, positionOf: ({ id }: Notification) => id };
  return {
    status: 200,
    body: await pageView({ items, ...(nextAfter !== undefined && { nextAfter }) }, show, request, deps),
  };
}
