import type { TimedRowWrite } from '../../test/support/local/host-protocol';
import { type ExecutionStatus, isTerminal } from '../../lambdas/core/domain/transitions';

/** What the writes of one execution tell of its errand. */
export interface Seen {
  /** The name of the errand. */
  name: string;
  claimedMs: number;
  delegatedMs: number;
  endedMs: number;
}

const textIn = (image: unknown): string | undefined => (image as { S?: string } | undefined)?.S;
const mapIn = (image: unknown): Record<string, unknown> | undefined =>
  (image as { M?: Record<string, unknown> } | undefined)?.M;

/** The executions of some jobs whose errands have ended, by the first write of each step. */
export function errandsIn(writes: readonly TimedRowWrite[], isOurs: (jobKey: string) => boolean): Seen[] {
  const seen = new Map<string, Partial<Seen>>();
  for (const { t, row } of writes) {
    const status = textIn(row?.status);
    const jobKey = textIn(row?.jobId) ?? '';
    if (!row || status === undefined || !isOurs(jobKey)) continue;
    const key = `${jobKey} ${textIn(row.execId)}`;
    const one = seen.get(key) ?? {};
    // The row of the end no longer has it.
    if (row.openErrand === undefined && one.claimedMs === undefined) continue;
    seen.set(key, one);
    if (status === 'running') one.claimedMs ??= t;
    const name = textIn(mapIn(mapIn(row.delegatedTo)?.errand)?.name);
    if (name !== undefined) one.name ??= name;
    if (name !== undefined) one.delegatedMs ??= t;
    if (isTerminal(status as ExecutionStatus)) one.endedMs ??= t;
  }
  return [...seen.values()].filter(
    (one): one is Seen => one.endedMs !== undefined && one.name !== undefined && one.claimedMs !== undefined,
  );
}
