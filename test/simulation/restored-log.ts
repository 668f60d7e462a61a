import type { EndRecord, LogConditions, LogRecord, SimulationLog } from './log';

/** A run in which operators have put tables back. */
export interface Restored {
  tables: NonNullable<LogConditions['restored']>;
  /** To which time of the wall clock the tables were put back. */
  toMs: number;
  /** When they were. */
  atMs: number;
  /** The run until then. It ends with the record of what was left. */
  before: { records: readonly LogRecord[]; end: EndRecord };
  /** The run from then on. */
  since: readonly LogRecord[];
}

export function restoredIn({ conditions, records }: SimulationLog): Restored | undefined {
  const index = records.findIndex(({ src, type }) => src === 'operator' && type === 'restored');
  const record = records[index];
  if (!conditions.restored || record?.src !== 'operator' || record.type !== 'restored') return undefined;
  const endAt = records.findIndex(({ src, type }) => src === 'run' && type === 'end');
  const end = records[endAt] as EndRecord & LogRecord;
  return {
    tables: conditions.restored,
    toMs: record.toMs,
    atMs: record.t,
    before: { records: records.slice(0, endAt + 1), end },
    since: records.slice(index),
  };
}

/**
 * The run that the tables know. It goes up to the time to which they were put back, and on from the moment at
 * which they were. What they have forgotten is left out, and so are the writes that put them back. To them,
 * the time between was an outage.
 */
export function recordsKnown(restored: Restored): LogRecord[] {
  const { before, since, tables, toMs } = restored;
  const names = forgottenErrands(restored);
  return [
    ...before.records.filter((record) => record.t <= toMs || !isForgotten(record, tables)),
    ...since,
  ].filter((record) => record.src !== 'errand' || !names.has(record.name));
}

/**
 * Errands that began in the time that is forgotten, of which nothing is promised. Their executions may be
 * gone. One that runs again may find its errand, or start it once more.
 */
const forgottenErrands = ({ before, toMs }: Restored): ReadonlySet<string> =>
  new Set(
    before.records.flatMap((record) =>
      record.src === 'errand' && record.type === 'start' && record.t > toMs ? [record.name] : [],
    ),
  );

/** The end of a call counts all the same: its target has worked, whatever the tables say. */
function isForgotten(record: LogRecord, tables: Restored['tables']): boolean {
  if (record.src === 'target') return record.type === 'begin';
  if (['event', 'report', 'ping', 'quota'].includes(record.src)) return true;
  if (tables === 'all') return record.src === 'table' || record.src === 'api';
  return record.src === 'table' ? record.type === 'execution' : isOnExecutions(record);
}

const ON_EXECUTIONS = ['runJob', 'retryExecution', 'cancelExecution'];
const isOnExecutions = (record: LogRecord): boolean =>
  record.src === 'api' && ON_EXECUTIONS.includes(record.operation);
