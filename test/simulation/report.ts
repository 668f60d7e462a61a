import type { Fault } from './faults';
import type { LogRecord } from './log';
import type { ClientAction } from './workload';
import { clockTime } from './violation';

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** One fault of a plan, in a line. */
export function faultLine(fault: Fault): string {
  const { id, kind, fromMs, ...rest } = fault;
  return `#${id} ${kind} from ${seconds(fromMs)} ${detailsOf(rest)}`;
}

export const actionLine = ({ atMs, action, userId, jobId, body, idempotencyKey }: ClientAction): string =>
  `${seconds(atMs)} ${userId} ${action} ${jobId} ${detailsOf({ ...body, payload: undefined, idempotencyKey })}`;

const detailsOf = (details: object): string =>
  Object.entries(details)
    .filter(([name, value]) => value !== undefined && name !== 'jobId')
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ');

/** One record of a log, in a line. */
export function recordLine({ n, t, ...happening }: LogRecord): string {
  return `${String(n).padStart(5)} ${clockTime(t)} ${JSON.stringify(happening)}`;
}
