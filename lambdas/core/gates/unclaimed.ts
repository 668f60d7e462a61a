import { MINUTE_MS } from '../clock/clock';
import type { StageDeps } from '../deps';
import type { Execution } from '../domain/execution';
import { oldestClaimedMs } from '../domain/timing';
import { skippedRangeOver } from '../history/coverage';
import type { ExecutionRef } from '../store/execution-store';

/** Unclaimed this long, although it may go: its message is assumed lost, and is sent again. */
export const SILENT_AFTER_MS = 2 * MINUTE_MS;

/** An execution that holds a slot or its job's lock, and has not begun. */
export interface SilentHolder extends ExecutionRef {
  row: Execution | undefined;
  /** The concurrency key of the slot. */
  slotOf?: string;
}

/** Whether it waits for the first claim of its life. */
export const isUnbegun = ({ status, attempt }: Execution): boolean =>
  (status === 'queued' || status === 'retrying') && attempt === 1;

/**
 * Whether nothing of an occurrence without a row is left to run: it is too old to be claimed, or a skipped
 * range covers it. Its own row does not count as one, since that may have come meanwhile.
 */
export const isUnclaimable = async (
  one: Pick<Execution, 'jobKey' | 'dueAtMs'>,
  { executions, clock, retentionDays }: Pick<StageDeps, 'executions' | 'clock' | 'retentionDays'>,
): Promise<boolean> =>
  one.dueAtMs < oldestClaimedMs(clock.nowMs(), retentionDays) ||
  (await skippedRangeOver(one, { executions })) !== undefined;
