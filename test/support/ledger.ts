import type { Job } from '../../lambdas/core/domain/job';
import type { PipelineWorld } from './pipeline-world';

export interface Ledger {
  /** Due times that no row covers. */
  lost: number[];
  /** Due times that more than one row covers. */
  twice: number[];
  /** ExecIds of skipped rows whose count differs from their range. */
  miscounted: string[];
}

/** An account without fault. */
export const BALANCED: Ledger = { lost: [], twice: [], miscounted: [] };

/**
 * Holds the history of a job that is due every `stepMs` against its plan, from `fromMs` through the world's
 * now. The last second is left out: what is due in it may not have begun.
 */
export function ledgerOf(world: PipelineWorld, job: Job, plan: { fromMs: number; stepMs: number }): Ledger {
  const { fromMs, stepMs } = plan;
  const rowsAt = new Map<number, number>();
  const miscounted: string[] = [];
  for (const { execId, dueAtMs, skipped } of world.executions(job)) {
    const { fromMs: firstMs, toMs } = skipped ?? { fromMs: dueAtMs, toMs: dueAtMs };
    const dues = instants(firstMs, toMs, stepMs);
    if (skipped && skipped.count !== dues.length) miscounted.push(execId);
    for (const atMs of dues) rowsAt.set(atMs, (rowsAt.get(atMs) ?? 0) + 1);
  }
  const planned = instants(fromMs, world.clock.nowMs() - 1_000, stepMs);
  return {
    lost: planned.filter((atMs) => !rowsAt.has(atMs)),
    twice: [...rowsAt].filter(([, rows]) => rows > 1).map(([atMs]) => atMs),
    miscounted,
  };
}

function instants(fromMs: number, toMs: number, stepMs: number): number[] {
  const count = Math.max(0, Math.floor((toMs - fromMs) / stepMs) + 1);
  return Array.from({ length: count }, (_, index) => fromMs + index * stepMs);
}
