import { minuteOf } from '../contracts/tables';
import { MESSAGES_A_MINUTE } from '../domain/incident';
import type { AlertStore } from './alert-store';

/** Whether one of the last minutes had more messages of a notification than are sent one by one. */
export async function isStormy(
  of: { project: string; notification: string },
  nowMs: number,
  withinMinutes: number,
  { alerts }: { alerts: Pick<AlertStore, 'minute'> },
): Promise<boolean> {
  const now = minuteOf(nowMs);
  const minutes = Array.from({ length: withinMinutes + 1 }, (_, index) => now - index);
  const counts = await Promise.all(
    minutes.map(async (minute) => (await alerts.minute({ ...of, minute })).count),
  );
  return counts.some((count) => count > MESSAGES_A_MINUTE);
}
