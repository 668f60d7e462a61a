import { NOTIFICATIONS_KNOWN_WITHIN_MS } from '../../core/alerts/alerting';
import { NotificationBody, NotificationPath } from '../../core/http/notification';
import { addressOf } from '../../core/domain/target';
import {
  hiddenJobOf,
  MAX_EMAILS,
  MAX_NOTIFICATIONS,
  type Notification,
} from '../../core/domain/notification';
import { secretNamesOf } from '../../core/domain/target-secrets';
import { audited } from '../audit/audited';
import { parseWith, readBody } from '../http/parse-request';
import { conflict } from '../http/problem';
import { checkDefinition } from '../jobs/definition';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { emailOf, endUnnamed, subscribeAddress } from './email-address';
import { viewWithEmail } from './notification-view';

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
    const before = await deps.notifications.get(project, id);
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
    if ((await deps.notifications.put(notification, before?.etag)) === 'put') {
      const last = before && emailOf(before);
      if (last !== undefined && last !== to) await endUnnamed(project, last, deps);
      return { notification, isNew: !before };
    }
  }
  if (to !== undefined) await endUnnamed(project, to, deps);
  throw conflict('other requests keep changing the notification; repeat the request');
}

const othersOf = async ({ project, id }: Notification, { notifications }: ApiDeps): Promise<Notification[]> =>
  (await notifications.list(project)).filter((one) => one.id !== id);

/** Two requests at the same time may each add one: the bounds are no promise to the last one. */
function checkCounts({ target }: Notification, others: readonly Notification[]): void {
  if (others.length >= MAX_NOTIFICATIONS)
    throw conflict(`a project has at most ${MAX_NOTIFICATIONS} notifications; delete one first`);
  const emails = others.filter((one) => one.target.type === 'email').length;
  if (target.type === 'email' && emails >= MAX_EMAILS)
    throw conflict(`a project has at most ${MAX_EMAILS} notifications by email; delete one first`);
}
