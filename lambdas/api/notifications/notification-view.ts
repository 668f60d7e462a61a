import { instantText } from '../../core/clock/clock';
import { notificationJobIdOf } from '../../core/contracts/tables';
import type { Notification } from '../../core/domain/notification';
import { JOB_ID } from '../../core/http/fields';
import type { NotificationView } from '../../core/http/notification-answers';
import { targetView } from '../jobs/job-view';
import { notFound } from '../http/problem';
import type { ApiDeps, ApiRequest } from '../request';

/** The notification that the path names. Throws `ProblemError` 404. */
export async function requestedNotification(
  { params, project }: ApiRequest,
  { notifications }: Pick<ApiDeps, 'notifications'>,
): Promise<Notification> {
  const { id = '' } = params;
  const notification = JOB_ID.test(id) ? await notifications.get(project, id) : undefined;
  if (!notification) throw notFound('notification');
  return notification;
}

/** No worker can be told: a request that names one is rejected. */
const notificationTargetView = (target: Notification['target']): NotificationView['target'] =>
  target.type === 'email' ? target : (targetView(target) as NotificationView['target']);

export const notificationView = (notification: Notification): NotificationView => ({
  id: notification.id,
  on: [...notification.on],
  ...(notification.filter && { filter: notification.filter }),
  ...(notification.lateAfter !== undefined && { lateAfter: notification.lateAfter }),
  target: notificationTargetView(notification.target),
  minInterval: notification.minInterval,
  format: notification.format,
  jobId: notificationJobIdOf(notification.id),
  createdAt: instantText(notification.createdAtMs),
  updatedAt: instantText(notification.updatedAtMs),
  by: notification.by,
});

/** A notification as the API shows it, with what SNS knows of the address of a target `email`. */
export async function viewWithEmail(
  notification: Notification,
  { emails }: Pick<ApiDeps, 'emails'>,
): Promise<NotificationView> {
  const view = notificationView(notification);
  const { project, target } = notification;
  if (target.type !== 'email') return view;
  return { ...view, confirmed: (await emails.projectOf(target.to)) === project };
}
