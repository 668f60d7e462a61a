import type { TargetBegin } from '../log';
import type { Restored } from '../restored-log';
import { idOf } from '../story';
import { broken, clockTime, type Violation } from '../violation';

/**
 * No call is at work when tables are put back, since the operators have waited. So nothing that the tables
 * have forgotten overlaps with what runs again.
 */
export function checkAtWork({ before }: Restored): Violation[] {
  const atWork = new Map<number, TargetBegin & { t: number }>();
  for (const record of before.records) {
    if (record.src !== 'target') continue;
    if (record.type === 'begin') atWork.set(record.call, record);
    else atWork.delete(record.call);
  }
  return [...atWork.values()].map((call) => {
    const what = `${idOf(call)} fence ${call.fence} called at ${clockTime(call.t)}`;
    return broken('attempts-apart', `${what} is at work when tables are put back`);
  });
}
