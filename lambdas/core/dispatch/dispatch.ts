import { DAY_MS, SECOND_MS } from '../clock/clock';
import { Metric } from '../contracts/metrics';
import { execIdOfOccurrence } from '../contracts/tables';
import type { OccurrenceEntry } from '../domain/entry';
import type { Execution } from '../domain/execution';
import type { Job } from '../domain/job';
import { stretch } from '../domain/misfire';
import { shardOf } from '../domain/shard';
import { delaySecFor } from '../domain/timing';
import { isTransient } from '../store/transient';
import { newestThrough, rowsBetween, standsFor } from './accounted';
import type { DispatchDeps } from './deps';
import { scheduleOf } from './entries';
import { type CatchUpPacer, catchUpPacer, type Plan, planEntry, type Scope } from './plan';

/** An entry together with the job it is current for. */
export interface DueEntry {
  entry: OccurrenceEntry;
  job: Job;
  /** @default 'chain' */
  scope?: Scope;
}

export interface Dispatched {
  /** The next entry of each chain that goes on, by the entry that led to it. */
  next: Map<OccurrenceEntry, OccurrenceEntry>;
  /** Entries that could not be planned, with the reason: their own fault, not the moment's. */
  refused: Map<OccurrenceEntry, unknown>;
}

/**
 * The scanner's step, on current entries: what scanner, API, sweeper and auditor all do.
 *
 * Order of writes, so that a repeat after a crash between any two repairs it: what is skipped → the next entries →
 * the messages. Nobody sends a message of an occurrence before the next entry is written, hence an execution that was
 * claimed proves that its chain goes on. Every write is the same again when repeated.
 *
 * Throws where a store or queue gives no answer: the caller repeats the whole step.
 */
export async function dispatch(
  due: readonly DueEntry[],
  deps: DispatchDeps,
  pacer?: CatchUpPacer,
): Promise<Dispatched> {
  const nowMs = deps.clock.nowMs();
  const nextCatchUpMs = pacer ?? catchUpPacer(nowMs);
  const shardCount = await deps.shards();
  const plans = new Map<DueEntry, Plan>();
  const refused = new Map<OccurrenceEntry, unknown>();
  for (const item of due) {
    try {
      const { pool, priority } = item.job;
      if (!deps.queue.has(pool, priority)) throw new Error(`no queue for pool ${pool}, priority ${priority}`);
      const shard = shardOf(item.entry.jobKey, shardCount);
      plans.set(
        item,
        planEntry(item.entry, item.job, scheduleOf(item.job), item.scope ?? 'chain', {
          nowMs,
          shard,
          nextCatchUpMs,
        }),
      );
    } catch (error) {
      if (isTransient(error)) throw error;
      refused.set(item.entry, error);
    }
  }

  await Promise.all([...plans].map(([item, plan]) => recordMisfire(item, plan, deps)));
  // Catch-ups first: a next entry that is written proves that all before it is.
  const entries = [...plans.values()].flatMap((plan) => plan.entries);
  await deps.schedule.putEntries(entries.filter(({ catchUp }) => catchUp));
  await deps.schedule.putEntries(entries.filter(({ catchUp }) => !catchUp));

  const messages = [...plans.values()].flatMap((plan) => plan.messages);
  const sentAtMs = deps.clock.nowMs();
  await deps.queue.send(
    messages.map((message) => ({ message, delaySec: delaySecFor(message.startAtMs, sentAtMs) })),
  );
  if (messages.length > 0) deps.meter.count(Metric.dispatched, messages.length);
  return {
    next: new Map([...plans].flatMap(([{ entry }, { next }]) => (next ? [[entry, next] as const] : []))),
    refused,
  };
}

/** Around what has a row already: a decision that was made stands, and one made again later only adds to it. */
async function recordMisfire({ entry, job }: DueEntry, { skipped }: Plan, deps: DispatchDeps): Promise<void> {
  if (!skipped) return;
  const { jobKey } = entry;
  const schedule = scheduleOf(job);
  const before = await newestThrough(jobKey, skipped.fromMs, deps);
  let afterMs = skipped.fromMs - 1;
  if (before && standsFor(before, skipped.fromMs)) afterMs = before.skipped?.toMs ?? skipped.fromMs;
  const rows = await rowsBetween(jobKey, afterMs + 1, skipped.toMs, deps);
  for (const row of [...rows, undefined]) {
    const endMs = row ? row.dueAtMs - 1 : skipped.toMs;
    const firstMs = schedule.next(afterMs);
    if (firstMs !== undefined && firstMs <= endMs) {
      const gap = stretch(schedule, firstMs, endMs);
      const outcome = await deps.executions.putSkipped(skippedRow(jobKey, gap, 'misfire', deps));
      if (outcome === 'written') deps.meter.count(Metric.misfired, gap.count);
    }
    if (row) afterMs = Math.max(afterMs, row.skipped?.toMs ?? row.dueAtMs);
  }
}

/** A finished row for occurrences that never ran, all for one reason: `execId` is that of the first. */
export function skippedRow(
  jobKey: string,
  skipped: { fromMs: number; toMs: number; count: number },
  reason: NonNullable<Execution['reason']>,
  deps: Pick<DispatchDeps, 'clock' | 'retentionDays'>,
): Execution {
  const nowMs = deps.clock.nowMs();
  return {
    jobKey,
    execId: execIdOfOccurrence(skipped.fromMs),
    trigger: 'schedule',
    dueAtMs: skipped.fromMs,
    status: 'skipped',
    reason,
    attempt: 1,
    failures: 0,
    takeovers: 0,
    fence: 0,
    attempts: [],
    finishedAtMs: nowMs,
    skipped,
    expiresAtSec: expiresAtSecAfter(nowMs, deps.retentionDays),
  };
}

/** End of retention of what finishes at `finishedAtMs`, in seconds. */
export const expiresAtSecAfter = (finishedAtMs: number, retentionDays: number): number =>
  Math.ceil((finishedAtMs + retentionDays * DAY_MS) / SECOND_MS);
