import { DAY_MS } from '../../core/clock/clock';
import { compactInstant, dayOf } from '../../core/contracts/tables';
import { MAX_NEW_ADDRESSES_PER_DAY, type Notification } from '../../core/domain/notification';
import { conflict, quotaExceeded } from '../http/problem';
import type { ApiDeps } from '../request';

/** The address of a target `email`; undefined: it is of another type. */
export const emailOf = ({ target }: Pick<Notification, 'target'>): string | undefined =>
  target.type === 'email' ? target.to : undefined;

/**
 * Subscribes an address that the project does not name yet. It counts before SNS is asked: each time, a
 * stranger may get a mail. The subscription of another project ends, if that names the address no longer.
 * Throws `ProblemError` 429 if today's addresses are used, and 409 if another project has this one.
 */
export async function subscribeAddress(project: string, to: string, deps: ApiDeps): Promise<void> {
  const { emails } = deps;
  await charge(project, deps);
  if ((await emails.subscribe(project, to)) === 'subscribed') return;
  const holder = await emails.projectOf(to);
  if (holder !== undefined && !(await isNamed(holder, to, deps))) {
    await emails.unsubscribe(holder, to);
    if ((await emails.subscribe(project, to)) === 'subscribed') return;
  }
  throw conflict('the address gets the notifications of another project of this deployment');
}

/** Ends the subscription of an address that no notification of the project names, but for those left out. */
export async function endUnnamed(
  project: string,
  to: string,
  deps: Pick<ApiDeps, 'emails' | 'notifications'>,
  exceptId?: string,
): Promise<void> {
  if (!(await isNamed(project, to, deps, exceptId))) await deps.emails.unsubscribe(project, to);
}

async function isNamed(
  project: string,
  to: string,
  { notifications }: Pick<ApiDeps, 'notifications'>,
  exceptId?: string,
): Promise<boolean> {
  const all = await notifications.list(project);
  return all.some((one) => one.id !== exceptId && emailOf(one) === to);
}

async function charge(project: string, { usage, clock }: Pick<ApiDeps, 'usage' | 'clock'>): Promise<void> {
  const nowMs = clock.nowMs();
  const day = dayOf(compactInstant(nowMs));
  if ((await usage.addEmailAddress(project, day, MAX_NEW_ADDRESSES_PER_DAY)) === 'added') return;
  throw quotaExceeded(
    `a project may have ${MAX_NEW_ADDRESSES_PER_DAY} new email addresses a day (UTC), and today's are used; ` +
      'try again tomorrow',
    DAY_MS - (nowMs % DAY_MS),
  );
}
