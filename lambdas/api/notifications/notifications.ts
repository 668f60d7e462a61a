import { isDeepStrictEqual } from 'node:util';

import {
  type Notification,
  DELETION_SEEN_MS,
  hiddenJobOf,
  keepsIncidents,
  MAX_EMAILS,
  MAX_NOTIFICATIONS,
} from '../../core/domain/notification';
import { ListNotificationsQuery } from '../../core/http/queries';
import { NOTIFICATIONS_KNOWN_WITHIN_MS } from '../../core/alerts/alerting';
import { NotificationBody, NotificationPath } from '../../core/http/notification';
import { isIncidentTarget, STORM_MINUTES } from '../../core/domain/incident';
import { addressOf } from '../../core/domain/target';
import { secretNamesOf } from '../../core/domain/target-secrets';
import { fileMessage, runIdOf } from '../../core/alerts/file-message';
import { messageContextOf, testMessage } from '../../core/alerts/message';
import { fileDeletion } from '../../core/alerts/watch-incidents';
import { jobRefOf, notificationJobIdOf } from '../../core/contracts/tables';
import { EmptyBody } from '../../core/http/job';
import { isStormy } from '../../core/store/stormy';
import type { NotificationTestView, NotificationView } from '../../core/http/openapi/notification';
import { instantText } from '../../core/clock/clock';
import { JOB_ID } from '../../core/http/fields';
import { listByName } from '../http/list-by-name';
import { readQuery, parseWith, readBody, readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { audited } from '../audit/audited';
import { conflict, notFound } from '../http/problem';
import { checkDefinition } from '../jobs/definition';
import { deliveryDepthOf } from '../http/loop-guard';
import { targetView } from '../jobs/job-view';
import { emailOf, endUnnamed, subscribeAddress } from './email-address';

/** 200 with a page of the project's notifications by id. */
export async function listNotifications(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const query = readQuery(request, ListNotificationsQuery);
  const all = (await deps.notifications.list(request.project)).filter(isThere);
  return listByName(all, { nameOf: ({ id }) => id, view: notificationView }, query, request, deps);
}

/** 200 with a notification. */
export async function getNotification(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  return { status: 200, body: await viewWithEmail(await requestedNotification(request, deps), deps) };
}

const MAX_TRIES = 5;

/**
 * 201 with a new notification, or 200 with a replaced one, once every process knows it. If another request
 * replaces it meanwhile, the last one wins. Throws `ProblemError` 409 if the project has as many as it may
 * have. It throws the same if the address of a target `email` is subscribed for another project. It throws
 * 429 if the project has asked as many addresses today as it may.
 */
export async function putNotification(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { id } = parseWith(request.params, NotificationPath);
  const body = readBody(request, NotificationBody);
  const { project, by } = request;
  const nowMs = deps.clock.nowMs();
  const made: Notification = {
    ...body,
    project,
    id,
    etag: deps.random.id(),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    by,
  };
  // Its target keeps the rules of a job's target, whatever the deployment allows.
  await checkDefinition(hiddenJobOf(made), request, deps);
  const detail = `${body.on.join(', ')} to ${body.target.type} ${addressOf(body.target)}`;
  const change = { what: 'notification.set', resource: id, detail: detail.slice(0, MAX_DETAIL) } as const;
  const { notification, isNew } = await audited(request, change, () => store(made, deps), deps);
  await deps.clock.sleep(NOTIFICATIONS_KNOWN_WITHIN_MS);
  return { status: isNew ? 201 : 200, body: await viewWithEmail(notification, deps) };
}

const MAX_DETAIL = 500;

/**
 * Order of writes: the subscription of a new address → rows of secrets → the row. Then the subscription of
 * its last address ends.
 */
async function store(
  made: Notification,
  deps: ApiDeps,
): Promise<{ notification: Notification; isNew: boolean }> {
  const { project, id, target, updatedAtMs: atMs } = made;
  const to = emailOf(made);
  let hasAsked = false;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const present = await deps.notifications.get(project, id);
    if (present) await checkSuccession(present, made, deps);
    const before = present && isThere(present) ? present : undefined;
    const others = await othersOf(made, deps);
    checkCounts(made, others);
    const named = [...(before ? [before] : []), ...others].map(emailOf);
    if (to !== undefined && !hasAsked && !named.includes(to)) {
      await subscribeAddress(project, to, deps);
      hasAsked = true;
    }
    const jobId = hiddenJobOf(made).jobId;
    await deps.uses.put(
      secretNamesOf([target]).map((name) => ({ userId: project, jobId, kind: 'secret', name, atMs })),
    );
    const notification = { ...made, createdAtMs: before?.createdAtMs ?? made.createdAtMs };
    if ((await deps.notifications.put(notification, present?.etag)) === 'put') {
      const last = before && emailOf(before);
      if (last !== undefined && last !== to) await endUnnamed(project, last, deps);
      return { notification, isNew: !before };
    }
  }
  if (to !== undefined) await endUnnamed(project, to, deps);
  throw conflict('other requests keep changing the notification; repeat the request');
}

const othersOf = async ({ project, id }: Notification, { notifications }: ApiDeps): Promise<Notification[]> =>
  (await notifications.list(project)).filter((one) => one.id !== id && isThere(one));

const isThere = ({ deletedAtMs }: Notification): boolean => deletedAtMs === undefined;

/**
 * Throws `ProblemError` 409 if open incidents would lose who resolves them: they are known to the target of
 * before alone.
 */
async function checkSuccession(before: Notification, made: Notification, deps: ApiDeps): Promise<void> {
  const { project, id, target, deletedAtMs } = before;
  if (!keepsIncidents(before) || isDeepStrictEqual(target, made.target)) return;
  if (deletedAtMs === undefined)
    throw conflict(
      'the target of a notification that keeps incidents cannot change: delete the notification, which ' +
        'resolves them, or set another one',
    );
  const isSeen = deps.clock.nowMs() - deletedAtMs > DELETION_SEEN_MS;
  if (!isSeen || (await deps.alerts.openOf(project, id)).length > 0)
    throw conflict('the incidents of the deleted notification are being resolved; try again in 2 minutes');
  const storm = { project, notification: id };
  if (await isStormy(storm, deps.clock.nowMs(), STORM_MINUTES + RESOLVED_AFTER_MINUTES, deps))
    throw conflict(
      'the incident of many messages in a minute of the deleted notification is being resolved; try again ' +
        `in ${STORM_MINUTES + RESOLVED_AFTER_MINUTES + 1} minutes`,
    );
}

/** The message that resolves the incident of a summary has arrived by then. */
const RESOLVED_AFTER_MINUTES = 3;

/** Two requests at the same time may each add one: the bounds are no promise to the last one. */
function checkCounts({ target }: Notification, others: readonly Notification[]): void {
  if (others.length >= MAX_NOTIFICATIONS)
    throw conflict(`a project has at most ${MAX_NOTIFICATIONS} notifications; delete one first`);
  const emails = others.filter((one) => one.target.type === 'email').length;
  if (target.type === 'email' && emails >= MAX_EMAILS)
    throw conflict(`a project has at most ${MAX_EMAILS} notifications by email; delete one first`);
}

/**
 * 204. Order of writes: the subscription of its address → the row. So a request that fails can be repeated.
 * Rows about its secrets are left to the auditor. A notification that keeps incidents is marked, after the
 * entry whose recheck resolves them: its row delivers that, and expires.
 */
export async function deleteNotification(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const notification = await requestedNotification(request, deps);
  const { id, project } = notification;
  const to = emailOf(notification);
  const change = { what: 'notification.deleted', resource: id } as const;
  const remove = async () => {
    if (to !== undefined) await endUnnamed(project, to, deps, id);
    if (keepsIncidents(notification)) await markDeleted(notification, deps);
    else await deps.notifications.remove(project, id);
  };
  await audited(request, change, remove, deps);
  return { status: 204 };
}

async function markDeleted(notification: Notification, deps: ApiDeps): Promise<void> {
  await deps.quotas.chargeRate(notification.project, 'changes');
  const deletedAtMs = deps.clock.nowMs();
  await fileDeletion(notification, deletedAtMs, deps);
  const marked: Notification = { ...notification, on: [], deletedAtMs, etag: deps.random.id() };
  if ((await deps.notifications.put(marked, notification.etag)) === 'changed')
    throw conflict('another request has changed the notification; repeat the request');
}

/** 202 with the execution that delivers a test message. It counts as a run. */
export async function testNotification(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  readOptionalBody(request, EmptyBody);
  const deliveryDepth = deliveryDepthOf(request) ?? 0;
  const notification = await requestedNotification(request, deps);
  const { project, id } = notification;
  await deps.quotas.chargeRate(project, 'runs');
  const atMs = deps.clock.nowMs();
  const execId = runIdOf(atMs, [id, 'test', deps.random.id()]);
  const message = testMessage(messageContextOf(notification, deps));
  const { jobKey } = await fileMessage(notification, { execId, atMs, message, deliveryDepth }, deps);
  const body: NotificationTestView = { jobId: jobRefOf(jobKey).jobId, execId };
  return { status: 202, body };
}

/** The notification that the path names. Throws `ProblemError` 404. */
async function requestedNotification(
  { params, project }: ApiRequest,
  { notifications }: Pick<ApiDeps, 'notifications'>,
): Promise<Notification> {
  const { id = '' } = params;
  const notification = JOB_ID.test(id) ? await notifications.get(project, id) : undefined;
  if (!notification || !isThere(notification)) throw notFound('notification');
  return notification;
}

/** No worker can be told: a request that names one is rejected. */
const notificationTargetView = (target: Notification['target']): NotificationView['target'] =>
  target.type === 'email' || isIncidentTarget(target)
    ? target
    : (targetView(target) as NotificationView['target']);

const notificationView = (notification: Notification): NotificationView => ({
  id: notification.id,
  on: [...notification.on],
  ...(notification.filter && { filter: notification.filter }),
  ...(notification.lateAfter !== undefined && { lateAfter: notification.lateAfter }),
  target: notificationTargetView(notification.target),
  minInterval: notification.minInterval,
  format: notification.format,
  ...(notification.severity && { severity: notification.severity }),
  jobId: notificationJobIdOf(notification.id),
  createdAt: instantText(notification.createdAtMs),
  updatedAt: instantText(notification.updatedAtMs),
  by: notification.by,
});

/** A notification as the API shows it, with what SNS knows of the address of a target `email`. */
async function viewWithEmail(
  notification: Notification,
  { emails }: Pick<ApiDeps, 'emails'>,
): Promise<NotificationView> {
  const view = notificationView(notification);
  const { project, target } = notification;
  if (target.type !== 'email') return view;
  return { ...view, confirmed: (await emails.projectOf(target.to)) === project };
}
