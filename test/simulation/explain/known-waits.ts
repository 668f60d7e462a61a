import { execIdOfOccurrence, slotsKeyOf } from '../../../lambdas/core/contracts/tables';
import type { LoggedStart } from '../../../lambdas/core/domain/start-log';
import { parseDuration } from '../../../lambdas/core/schedule/duration';
import { idOf, isManual, type Story, userOf } from '../story';

/** What an explanation says of a concurrency key: that a slot or a start is waited for. */
export type SlotWait = 'none' | 'slot' | 'rate';

interface Question {
  jobKey: string;
  atMs: number;
  nowMs: number;
}

/** By the tickets and the starts in the log: what an occurrence that has not begun waits for. */
export function slotWaitOf(story: Story, { jobKey, atMs, nowMs }: Question): SlotWait {
  const { records, versions, conditions } = story;
  const own = idOf({ jobKey, execId: execIdOfOccurrence(atMs) });
  const concurrencyKey = versions.get(jobKey)?.at(-1)?.job?.concurrencyKey;
  if (concurrencyKey === undefined) return 'none';
  const queue = slotsKeyOf({ userId: userOf(jobKey), concurrencyKey });
  let hasTicket = false;
  let starts: readonly LoggedStart[] = [];
  for (const record of records) {
    if (record.src !== 'table' || !('queue' in record) || record.queue !== queue) continue;
    if (record.type === 'start-log') starts = record.starts;
    if (record.type === 'slot-ticket' && idOf(record) === own) hasTicket = record.exists;
  }
  if (!hasTicket) return 'none';
  const { [concurrencyKey]: rate } = conditions.rates ?? {};
  if (!rate) return 'slot';
  const recent = starts.filter((one) => one.atMs > nowMs - parseDuration(rate.per));
  return recent.length >= rate.limit ? 'rate' : 'slot';
}

/** Whether an occurrence has a ticket of any key, or waits for its job's overlap lock: it is not lost. */
export function waitsAtGate({ records }: Story, { jobKey, atMs }: Question): boolean {
  const execId = execIdOfOccurrence(atMs);
  const own = idOf({ jobKey, execId });
  const tickets = new Set<string>();
  let waiter: string | undefined;
  for (const record of records) {
    if (record.src !== 'table') continue;
    if (record.type === 'overlap-lock' && record.jobKey === jobKey) ({ waiter } = record.lock);
    if (record.type !== 'ticket' && record.type !== 'slot-ticket') continue;
    if (idOf(record) !== own) continue;
    if (record.exists) tickets.add(record.queue);
    else tickets.delete(record.queue);
  }
  return tickets.size > 0 || waiter === execId;
}

/** Due times of a job's planned executions that have a ticket of a concurrency key. */
export function slotWaitersOf({ records }: Story, jobKey: string): number[] {
  const dueAtMs = new Map<string, number>();
  for (const record of records) {
    if (record.src !== 'table' || record.type !== 'slot-ticket' || record.jobKey !== jobKey) continue;
    if (record.exists && !isManual(record.execId)) dueAtMs.set(record.execId, record.dueAtMs);
    else dueAtMs.delete(record.execId);
  }
  return [...dueAtMs.values()];
}
