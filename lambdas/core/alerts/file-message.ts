import { createHash } from 'node:crypto';

import { MAX_DELIVERY_DEPTH } from '../contracts/loop-guard';
import { compactInstant, jobKeyOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { Tell } from '../domain/alert';
import type { Execution } from '../domain/execution';
import type { Job } from '../domain/job';
import { hiddenJobOf, type Notification } from '../domain/notification';
import { attemptEntry, attemptMessage, sendIfDirect } from '../queue/attempt-entries';
import { bodyOf } from './formats/format';
import type { Message } from './message';

/** Id of the message about one execution: the same however often it is filed. */
export const messageIdOf = (
  notification: Pick<Notification, 'id'>,
  jobKey: string,
  { kind, execId, fence, atMs }: Pick<Tell, 'kind' | 'execId' | 'fence' | 'atMs'>,
): string => runIdOf(atMs, [notification.id, jobKey, execId, String(fence), kind]);

/** execId of a manual run that is the same for the same parts. */
export const runIdOf = (atMs: number, parts: readonly string[]): string =>
  `${compactInstant(atMs)}-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)}`;

/** A message to file, and the deliveries that led to it. */
export interface Filing {
  execId: string;
  atMs: number;
  message: Message;
  deliveryDepth?: number;
}

/**
 * Files a message: a manual run of the notification's hidden job. Filing it again does no harm.
 *
 * @returns the run
 */
export const fileMessage = (
  notification: Notification,
  { message, ...filing }: Filing,
  deps: StageDeps,
): Promise<Execution> =>
  fileRun(hiddenJobOf(notification), { ...filing, payload: bodyOf(message, notification.format) }, deps);

/**
 * Files a manual run of a hidden job. Order of writes: the entry of its first attempt → its row → the message
 * to the queue. Filing it again does no harm.
 */
export async function fileRun(
  job: Job,
  { execId, atMs, payload, deliveryDepth = 0 }: Omit<Filing, 'message'> & { payload: unknown },
  deps: StageDeps,
): Promise<Execution> {
  const jobKey = jobKeyOf(job);
  const startAtMs = Math.max(atMs, deps.clock.nowMs());
  const run: Execution = {
    jobKey,
    execId,
    trigger: 'manual',
    dueAtMs: atMs,
    status: 'queued',
    attempt: 1,
    failures: 0,
    takeovers: 0,
    fence: 0,
    startAtMs,
    attempts: [],
    userRequest: { by: { sub: 'notifications', name: null, via: 'system' } },
    deliveryDepth: Math.min(deliveryDepth + 1, MAX_DELIVERY_DEPTH),
    payload: { value: payload },
  };
  const wait = { jobKey, execId, attempt: 1, startAtMs };
  await deps.schedule.putEntries([await attemptEntry(wait, deps)]);
  if ((await deps.executions.putQueued(run)) === 'exists') return run;
  try {
    await sendIfDirect(attemptMessage(run, wait, job), deps);
  } catch (error) {
    deps.log.error('a message of a notification is left to its recheck', error, { jobKey, execId });
  }
  return run;
}
