import { createHash } from 'node:crypto';

import { MAX_DELIVERY_DEPTH } from '../contracts/loop-guard';
import { compactInstant, jobKeyOf } from '../contracts/tables';
import { deliveryIdOf } from '../delivery/delivery';
import type { StageDeps } from '../deps';
import type { Tell } from '../domain/alert';
import type { AttemptEntry } from '../domain/entry';
import { type Execution, NEVER_CLAIMED } from '../domain/execution';
import type { Job } from '../domain/job';
import { hiddenJobOf, type Notification } from '../domain/notification';
import { attemptEntry, attemptMessage, sendOrLeave } from '../queue/attempt-entries';
import { bodyOf } from './format';
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
  /** The job whose alert names the message. */
  aboutJobKey?: string;
  /** The entry of the message. Absent: it is filed with the message. */
  entry?: AttemptEntry;
}

/**
 * Files a message: a manual run of the notification's hidden job. Filing it again does no harm.
 *
 * @returns the run
 */
export function fileMessage(
  notification: Notification,
  { message, ...filing }: Filing,
  deps: StageDeps,
): Promise<Execution> {
  const job = hiddenJobOf(notification);
  const { execId, atMs } = filing;
  const payload = bodyOf(message, notification, { id: deliveryIdOf(jobKeyOf(job), execId), atMs });
  return fileRun(job, { ...filing, payload }, deps);
}

/** Files the entry of a run that is to be filed: its first attempt. */
export async function fileRunEntry(
  job: Job,
  { execId, atMs, aboutJobKey }: Pick<Filing, 'execId' | 'atMs' | 'aboutJobKey'>,
  deps: StageDeps,
): Promise<AttemptEntry> {
  const next = { jobKey: jobKeyOf(job), execId, attempt: 1, startAtMs: atMs };
  const entry = {
    ...(await attemptEntry(next, deps)),
    ...(aboutJobKey !== undefined && { aboutJobKey }),
  };
  await deps.schedule.putEntries([entry]);
  return entry;
}

/**
 * Files a manual run of a hidden job. Order of writes: the entry of its first attempt → its row → the message
 * to the queue. Filing it again does no harm.
 */
export async function fileRun(
  job: Job,
  { payload, deliveryDepth = 0, ...filing }: Omit<Filing, 'message'> & { payload: unknown },
  deps: StageDeps,
): Promise<Execution> {
  const jobKey = jobKeyOf(job);
  const { execId, atMs } = filing;
  const { checkAtMs: startAtMs } = filing.entry ?? (await fileRunEntry(job, filing, deps));
  const run: Execution = {
    jobKey,
    execId,
    trigger: 'manual',
    dueAtMs: atMs,
    status: 'queued',
    ...NEVER_CLAIMED,
    startAtMs,
    userRequest: { by: { sub: 'notifications', name: null, via: 'system' } },
    deliveryDepth: Math.min(deliveryDepth + 1, MAX_DELIVERY_DEPTH),
    payload: { value: payload },
  };
  if ((await deps.executions.putQueued(run)) === 'exists') return run;
  await sendOrLeave(attemptMessage(run, { attempt: 1, startAtMs }, job), deps);
  return run;
}
