import type { Execution } from '../core/domain/execution';
import { isTerminal } from '../core/domain/transitions';

/** What a ping says of its job. */
export type Signal =
  | { kind: 'success' | 'start' | 'fail' | 'log' }
  | { kind: 'success' | 'fail'; exitCode: number };

/** Whether a ping ends a run. */
export const isEnd = ({ kind }: Signal): boolean => kind === 'success' || kind === 'fail';

export interface Seen {
  /** The newest executions, newest first. */
  rows: readonly Execution[];
  /** The last occurrence that is due, if it still waits for its ping. */
  waiting?: { execId: string; dueAtMs: number } | undefined;
  /** The last occurrence that is due, if its time is over and nothing is on record of it. */
  missed?: { execId: string; dueAtMs: number } | undefined;
  /** Whether the job has any occurrences at all. */
  hasOccurrences: boolean;
}

/**
 * What becomes of a ping. `begin`: an execution starts to run. `end`: one that runs ends. `record`: one is
 * written that has ended. Each of the two may be that of the waiting occurrence, or one of its own.
 */
export type Decision =
  | { do: 'begin' | 'record'; of: 'occurrence' | 'ping' }
  | { do: 'end'; row: Execution }
  | { do: 'log'; row: Execution }
  | { do: 'nothing'; as: 'repeated' | 'ignored' };

const REPEATED: Decision = { do: 'nothing', as: 'repeated' };

/**
 * Decides what a ping ends or begins, by what is on record. A ping serves the last occurrence that is due,
 * and never the next one. What says once more what is known changes nothing.
 */
export function decidePing(signal: Signal, rid: string | undefined, seen: Seen): Decision {
  const running = seen.rows.filter(({ status, delegatedTo }) => status === 'running' && delegatedTo?.byPing);
  const own = running.find((row) => (rid === undefined ? !isUuid(row.claimId) : row.claimId === rid));
  const of = seen.waiting ? 'occurrence' : 'ping';
  switch (signal.kind) {
    case 'log': {
      const row = own ?? running[0] ?? seen.rows[0];
      return row ? { do: 'log', row } : { do: 'nothing', as: 'ignored' };
    }
    case 'start':
      // Without an id, the next occurrence starts whether or not the end of an earlier run was heard.
      if (rid === undefined && seen.waiting) return { do: 'begin', of };
      return own || endedAs(rid, seen.rows) ? REPEATED : { do: 'begin', of };
    case 'success':
    case 'fail':
      return decideEnd(
        signal.kind,
        { rid, own: own ?? (rid === undefined ? running[0] : undefined), of },
        seen,
      );
  }
}

function decideEnd(
  kind: 'success' | 'fail',
  { rid, own, of }: { rid: string | undefined; own: Execution | undefined; of: 'occurrence' | 'ping' },
  { rows, waiting, hasOccurrences }: Seen,
): Decision {
  if (own) return { do: 'end', row: own };
  const status = kind === 'success' ? 'succeeded' : 'failed';
  if (endedAs(rid, rows)?.status === status) return REPEATED;
  if (waiting || (kind === 'success' && !hasOccurrences)) return { do: 'record', of };
  const last = lastEnded(rows);
  const isKnown = last?.status === status && last.ping !== undefined;
  return isKnown ? REPEATED : { do: 'record', of };
}

/** The execution that has ended last, which need not be the newest one. */
export function lastEnded(rows: readonly Execution[]): Execution | undefined {
  const ended = rows.filter(({ status }) => isTerminal(status));
  return ended.toSorted((a, b) => (b.finishedAtMs ?? 0) - (a.finishedAtMs ?? 0))[0];
}

const endedAs = (rid: string | undefined, rows: readonly Execution[]): Execution | undefined =>
  rid === undefined ? undefined : rows.find(({ ping }) => ping?.rid === rid);

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The id of a run is a UUID, in lower case. A claim without one has an id of another form. */
export const isUuid = (text: string | undefined): boolean => text !== undefined && UUID.test(text);
