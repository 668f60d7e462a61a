import { Metric } from '../contracts/metrics';
import type { OccurrenceEntry } from '../domain/entry';
import type { Job } from '../domain/job';
import { shardOf } from '../domain/shard';
import { delaySecFor } from '../domain/timing';
import { isRetryable } from '../is-retryable';
import type { StageDeps } from '../deps';
import { scheduleOf } from '../domain/entry-planning';
import { enqueueTickets } from '../queue/ordering-tickets';
import { type CatchUpPacer, catchUpPacer, type Plan, planEntry, type Scope } from '../domain/plan-entry';
import { recordSkippedRange } from '../ending/skip-ranges';

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
 * the places of what is ordered → the messages. Nobody sends a message of an occurrence before the next entry is written, hence an execution that was
 * claimed proves that its chain goes on. Every write is the same again when repeated.
 *
 * Throws where a store or queue gives no answer: the caller repeats the whole step.
 */
export async function dispatch(
  due: readonly DueEntry[],
  deps: StageDeps,
  pacer?: CatchUpPacer,
): Promise<Dispatched> {
  const nowMs = deps.clock.nowMs();
  const nextCatchUpMs = pacer ?? catchUpPacer(nowMs);
  const shardCount = await deps.shardCount();
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
          horizonMs: deps.horizonMs,
          shard,
          nextCatchUpMs,
        }),
      );
    } catch (error) {
      if (isRetryable(error)) throw error;
      refused.set(item.entry, error);
    }
  }

  await Promise.all([...plans].map(([item, plan]) => recordMisfire(item, plan, deps)));
  // Catch-ups first: a next entry that is written proves that all before it is.
  const entries = [...plans.values()].flatMap((plan) => plan.entries);
  await deps.schedule.putEntries(entries.filter(({ catchUp }) => catchUp));
  await deps.schedule.putEntries(entries.filter(({ catchUp }) => !catchUp));

  const messages = [...plans.values()].flatMap((plan) => plan.messages);
  await enqueueTickets(messages, deps);
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

/** A decision that was made stands, and one made again later only adds to it. */
async function recordMisfire({ job }: DueEntry, { skipped }: Plan, deps: StageDeps): Promise<void> {
  if (!skipped) return;
  const count = await recordSkippedRange(job, skipped, 'misfire', deps);
  if (count > 0) deps.meter.count(Metric.misfired, count);
}
