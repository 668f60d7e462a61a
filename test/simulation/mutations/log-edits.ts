import type { EndRecord, LogRecord } from '../log';
import type { Invariant } from '../violation';

/** Breaks one invariant in a copy of a valid log. */
export type Mutation = readonly [invariant: Invariant, what: string, mutate: (records: Mutable) => void];

export type Mutable = LogRecord[];
export const endOf = (records: Mutable) => records.at(-1) as EndRecord & LogRecord;

/** The end record's row of the first execution that fits, of the job whose executions began first. */
export function anExecution(records: Mutable, fits: (row: EndRecord['executions'][0]) => boolean) {
  const firstAt = new Map<string, number>();
  for (const [index, record] of records.entries()) {
    if (record.src !== 'table' || record.type !== 'execution') continue;
    const { jobKey } = record.execution;
    if (!firstAt.has(jobKey)) firstAt.set(jobKey, index);
  }
  const at = ({ jobKey }: EndRecord['executions'][0]) => firstAt.get(jobKey) ?? records.length;
  const row = endOf(records)
    .executions.filter(fits)
    .sort((a, b) => at(a) - at(b))[0];
  if (!row) throw new Error('the valid log has no such execution');
  return row;
}

/** Planned, and without an ordering key: no other execution waits for it. */
const isPlain = ({ status, execId, orderingKey }: EndRecord['executions'][0]) =>
  status === 'succeeded' && !execId.includes('-') && orderingKey === undefined;
export const succeededOnce = (row: EndRecord['executions'][0]) =>
  isPlain(row) && row.attempts.length === 1 && row.fence === 1;
/** Over well before the shortest grace of a misfire. */
export const succeededInTime = (row: EndRecord['executions'][0]) =>
  succeededOnce(row) && row.finishedAtMs! - row.dueAtMs < 30_000;
export const succeededTwice = (row: EndRecord['executions'][0]) => isPlain(row) && row.attempts.length >= 2;

const isBegin = (record: LogRecord, { jobKey, execId }: { jobKey: string; execId: string }, fence = 1) =>
  record.src === 'target' &&
  record.type === 'begin' &&
  record.jobKey === jobKey &&
  record.execId === execId &&
  record.fence === fence;

export const ofExecution = (record: LogRecord, { jobKey, execId }: { jobKey: string; execId: string }) =>
  record.src === 'table' &&
  record.type === 'execution' &&
  record.execution.jobKey === jobKey &&
  record.execution.execId === execId;

export function beginOf(records: Mutable, row: { jobKey: string; execId: string }, fence = 1) {
  const found = records.find((record) => isBegin(record, row, fence));
  if (found?.src !== 'target' || found.type !== 'begin') throw new Error('the valid log has no such call');
  return found;
}

/** The first attempt never called: its executor died, and the second one is a takeover. */
export function loseFirstAttempt(records: Mutable, row: EndRecord['executions'][0]): void {
  const { call } = beginOf(records, row);
  const kept = records.filter((record) => record.src !== 'target' || record.call !== call);
  records.splice(0, records.length, ...kept);
  const rows = [row, ...records.flatMap((record) => (ofExecution(record, row) ? executionIn(record) : []))];
  for (const { attempts } of rows) if (attempts[0]) attempts[0].outcome = 'lost';
}

const executionIn = (record: LogRecord): EndRecord['executions'] =>
  record.src === 'table' && record.type === 'execution' ? [record.execution] : [];

export const allowsOverlap = (records: Mutable, jobKey: string): boolean =>
  records.some(
    (record) =>
      record.src === 'table' &&
      record.type === 'job' &&
      record.jobKey === jobKey &&
      record.job?.overlap === 'allow',
  );
