import type { Execution } from '../../../lambdas/core/domain/execution';
import type { EndRecord } from '../log';
import type { Mutable, Mutation } from './log-edits';

const PING = 999_999;
const SECOND_MS = 1_000;

const endOf = (records: Mutable): EndRecord =>
  records.find((record) => record.src === 'run' && record.type === 'end') as unknown as EndRecord;

/** Adds a ping that has this outcome. */
function addPing(records: Mutable, jobKey: string, t: number, outcome: string): void {
  const what = { src: 'ping', ping: PING, jobKey, signal: '', n: 0 } as const;
  records.splice(
    -1,
    0,
    { ...what, type: 'sent', t },
    { ...what, type: 'answered', t: t + SECOND_MS, outcome },
  );
}

const firstMissed = (records: Mutable): Execution =>
  endOf(records).executions.find(({ reason }) => reason === 'no-ping')!;

/** Logs that break what is promised of monitors, and of their incidents. */
export const monitors: readonly Mutation[] = [
  [
    'ghost',
    'an end by a ping has none',
    (records) => {
      for (let at = records.length - 1; at >= 0; at--) if (records[at]!.src === 'ping') records.splice(at, 1);
    },
  ],
  [
    'acknowledged',
    'a ping that counted is not on record',
    (records) => addPing(records, firstMissed(records).jobKey, records[0]!.t, 'counted'),
  ],
  [
    'reason',
    'an occurrence was missed for which a ping came',
    (records) => {
      const { jobKey, dueAtMs } = firstMissed(records);
      addPing(records, jobKey, dueAtMs + 20 * SECOND_MS, 'repeated');
    },
  ],
  [
    'notification',
    'no incident is resolved, also of a monitor that has recovered',
    (records) => {
      for (let at = records.length - 1; at >= 0; at--) {
        const record = records[at]!;
        if (record.src === 'incident' && !record.opens) records.splice(at, 1);
      }
    },
  ],
];
