import { slotsKeyOf } from '../../../lambdas/core/contracts/tables';
import type { LoggedStart } from '../../../lambdas/core/domain/start-log';
import { startIdOf } from '../../../lambdas/core/gates/start-id';
import type { EndRecord, LogRecord } from '../log';
import { userOf } from '../story';
import {
  anExecution,
  beginOf,
  endOf,
  type Mutable,
  type Mutation,
  ofExecution,
  succeededOnce,
} from './log-edits';
import { defineKeys, KEY, takeSlots } from './slots';

type Row = EndRecord['executions'][0];

const DAY_MS = 86_400_000;

const ONE_A_DAY = { limit: 1, rate: { limit: 1, per: '24h' } };

/** The executions take slots of a key that lets one start in each day, by its own rate or by its rule's. */
function rate(records: Mutable, rows: readonly [Row, ...Row[]], name = KEY): void {
  takeSlots(records, ...rows);
  defineKeys(records, rows[0], { [name]: ONE_A_DAY });
}

/** What the log of starts says before anything else happens. */
function logStarts(records: Mutable, ofUser: string, ...logs: readonly (readonly LoggedStart[])[]): void {
  const queue = slotsKeyOf({ userId: ofUser, concurrencyKey: KEY });
  const { t } = records[0]!;
  const added = logs.map((starts): LogRecord => ({
    n: 0,
    t,
    src: 'table',
    type: 'start-log',
    queue,
    starts,
  }));
  records.splice(0, 0, ...added);
}

const startOf = (row: Row, atMs: number): LoggedStart => ({ atMs, count: 1, startId: startIdOf(row) });

/** By its own times, the log of starts keeps the rate. */
function keepRate(records: Mutable, first: Row, second: Row): void {
  const { t } = beginOf(records, first);
  logStarts(records, userOf(first.jobKey), [startOf(first, t - DAY_MS)], [startOf(second, t)]);
}

/** Two executions of a user, one after the other. */
function twoOf(records: Mutable): [Row, Row] {
  const runs = endOf(records)
    .executions.filter(succeededOnce)
    .sort((one, other) => beginOf(records, one).t - beginOf(records, other).t);
  const lastOf = (row: Row) => records.findLast((record) => ofExecution(record, row))!;
  const [first] = runs;
  const isLater = (row: Row) => beginOf(records, row).t > lastOf(first!).t;
  const second = runs.find((row) => userOf(row.jobKey) === userOf(first!.jobKey) && isLater(row));
  return [first!, second!];
}

/** Logs in which more executions start than a rate allows, or in which the log of starts is false. */
export const rates: readonly Mutation[] = [
  [
    'rate',
    'two executions of a concurrency key start in a period in which one may',
    (records) => {
      const [first, second] = twoOf(records);
      rate(records, [first, second]);
      keepRate(records, first, second);
    },
  ],
  [
    'rate',
    'two executions of a key without a definition start in a period in which its rule lets one',
    (records) => {
      const [first, second] = twoOf(records);
      rate(records, [first, second], `${KEY.slice(0, -1)}*`);
      keepRate(records, first, second);
    },
  ],
  [
    'start-log',
    'an execution starts without being counted',
    (records) => rate(records, [anExecution(records, succeededOnce)]),
  ],
  [
    'start-log',
    'the log counts two starts in a period in which one may be',
    (records) => {
      const [first, second] = twoOf(records);
      rate(records, [first]);
      const { t } = beginOf(records, first);
      logStarts(records, userOf(first.jobKey), [startOf(first, t - DAY_MS + 1), startOf(second, t)]);
    },
  ],
  [
    'start-log',
    'a write of the log forgets a start that still counts',
    (records) => {
      const [first, second] = twoOf(records);
      rate(records, [first]);
      const { t } = beginOf(records, first);
      logStarts(records, userOf(first.jobKey), [startOf(first, t - DAY_MS + 1)], [startOf(second, t)]);
    },
  ],
];
