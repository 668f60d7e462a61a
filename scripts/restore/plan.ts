import {
  EXECUTIONS_KEY,
  JOBS_KEY,
  MAINTENANCE_KEY,
  OVERLAP_LOCKS,
  SCHEDULE_KEY,
} from '../../lambdas/core/contracts/tables';
import type { Row, RowKey } from './copy-rows';
import { UsageError } from '../command';

export const TABLES = {
  jobs: { variable: 'JOBS_TABLE', key: JOBS_KEY },
  executions: { variable: 'EXECUTIONS_TABLE', key: EXECUTIONS_KEY },
  schedule: { variable: 'SCHEDULE_TABLE', key: SCHEDULE_KEY },
} as const satisfies Record<string, { variable: string; key: RowKey }>;
export type TableName = keyof typeof TABLES;
const NAMES = Object.keys(TABLES) as TableName[];

/** After the horizon: messages that were sent before the stop have arrived by then. */
const ARRIVED_AFTER_MS = 180_000;

/**
 * The tables to restore: Jobs or Executions alone, or all three. Entries, cursors and executions belong
 * together, so that Schedule is restored with the others alone.
 */
export function tablesOf(text: string | undefined): TableName[] {
  if (text === undefined) return NAMES;
  const names = text.split(',');
  const unknown = names.find((name) => !NAMES.includes(name as TableName));
  if (unknown !== undefined)
    throw new UsageError(`--tables names ${JSON.stringify(unknown)}; expected ${NAMES.join(', ')}`);
  const tables = NAMES.filter((name) => names.includes(name));
  const isAlone = tables.length === 1 && tables[0] !== 'schedule';
  if (!isAlone && tables.length < NAMES.length)
    throw new UsageError(
      `--tables names ${tables.join(' and ')}; expected all three tables, or jobs or executions alone`,
    );
  return tables;
}

/**
 * Whether a row of a table stays as it is, by its key. Maintenance mode goes on while rows are copied. The
 * overlap locks in Jobs belong to Executions: if only Jobs goes back, they name what is at work now.
 */
export function staysIn(name: TableName, restored: readonly TableName[]): (key: Row) => boolean {
  if (name === 'schedule') return ({ [SCHEDULE_KEY.partition]: partition }) => partition === MAINTENANCE_KEY;
  if (name === 'jobs' && !restored.includes('executions'))
    return ({ [JOBS_KEY.sort]: sort }) => String(sort).startsWith(OVERLAP_LOCKS);
  return () => false;
}

/** The time to go back to: RFC 3339 with an offset, in the past. */
export function timeOf(text: string | undefined, nowMs: number): Date {
  const isTime = text !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const to = new Date(isTime ? text : Number.NaN);
  if (Number.isNaN(to.getTime()) || to.getTime() > nowMs)
    throw new UsageError(
      `--to is ${JSON.stringify(text)}; expected a time in the past with its offset, like 2026-11-22T09:59:59Z`,
    );
  return to;
}

/** Rows may be replaced only while nothing is at work. Throws a UsageError that says how long to wait. */
export function checkStopped(
  stop: { sinceMs: number } | undefined,
  { horizonSec, nowMs }: { horizonSec: number; nowMs: number },
): void {
  if (!stop)
    throw new UsageError('the deployment is running; expected maintenance mode: quarterjack admin stop');
  const leftMs = stop.sinceMs + horizonSec * 1_000 + ARRIVED_AFTER_MS - nowMs;
  if (leftMs > 0)
    throw new UsageError(
      `messages from before the stop may still arrive; try again in ${Math.ceil(leftMs / 1_000)} s`,
    );
}
