import { allEnded } from '../async/all-ended';
import { Metric } from '../contracts/metrics';
import type { StageDeps } from '../deps';
import type { OccurrenceEntry } from '../domain/entry';
import { scheduleOf } from '../domain/entry-planning';
import type { Job } from '../domain/job';
import { graceMsOf } from '../domain/misfire';
import { type CatchUpPacer, catchUpPacer, type Plan, type PlanEntry } from '../domain/plan-entry';
import { shardOf } from '../domain/shard';
import { delaySecFor } from '../domain/timing';
import { recordSkippedRange } from '../ending/skip-ranges';
import { isRetryable } from '../is-retryable';
import { enqueueTickets } from '../queue/ordering-tickets';
import { findJobs } from '../store/read-whole';

/** An entry, the job for which it is current, and how much of the series to decide. */
export interface DueEntry {
  entry: OccurrenceEntry;
  job: Job;
  plan: PlanEntry;
}

interface Dispatched {
  /** The next entries that were written, by the entry that led to each. */
  next: Map<OccurrenceEntry, OccurrenceEntry>;
  /**
   * Entries that could not be planned, with the reason. It lies in the entry or its job: a repeat fails too.
   */
  refused: Map<OccurrenceEntry, unknown>;
  /** Entries whose job has changed since it was read. Nothing was done. */
  outdated: ReadonlySet<OccurrenceEntry>;
}

/**
 * The dispatch step, on current entries. The scanner, the API, the sweeper and the auditor all do it.
 *
 * Before it records a misfire, it reads the job again. Then it writes in this order: skipped ranges, catch-up
 * entries, next entries, tickets of ordered executions, messages. A repeat after a crash between any two
 * repairs the step, because each write repeated is the same write.
 *
 * No stage sends the message of an occurrence before the next entry is written. So a claimed execution proves
 * that its series continues.
 *
 * Throws if a store or queue fails: the caller repeats the whole step.
 */
export async function dispatch(
  due: readonly DueEntry[],
  deps: StageDeps,
  pacer?: CatchUpPacer,
): Promise<Dispatched> {
  const { plans, refused } = await planAll(due, deps, pacer);
  const outdated = await dropChanged(plans, deps);

  await allEnded([...plans].map(([item, { skipped }]) => recordMisfire(item, skipped, deps)));
  // Catch-ups first: a next entry that is written proves that all entries before it are.
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
    outdated,
  };
}

async function planAll(
  due: readonly DueEntry[],
  deps: StageDeps,
  pacer: CatchUpPacer | undefined,
): Promise<{ plans: Map<DueEntry, Plan>; refused: Dispatched['refused'] }> {
  const nowMs = deps.clock.nowMs();
  const nextCatchUpMs = pacer ?? catchUpPacer(nowMs);
  const shardCount = await deps.shardCount();
  const plans = new Map<DueEntry, Plan>();
  const refused: Dispatched['refused'] = new Map();
  for (const item of due) {
    const { entry, job, plan } = item;
    try {
      const { pool, priority } = job;
      if (!deps.queue.has(pool, priority)) throw new Error(`no queue for pool ${pool}, priority ${priority}`);
      const shard = shardOf(entry.jobKey, shardCount);
      const at = { nowMs, horizonMs: deps.horizonMs, shard, nextCatchUpMs };
      plans.set(item, plan(entry, job, scheduleOf(job), at));
    } catch (error) {
      if (isRetryable(error)) throw error;
      refused.set(entry, error);
    }
  }
  return { plans, refused };
}

/**
 * Drops plans that record a misfire for a job that has changed since it was read: this process may have been
 * frozen in between. Their entries are left to their rechecks. A plan skips what fell due a minute ago at
 * least, so a job that changes after this read has planned all of that.
 */
async function dropChanged(
  plans: Map<DueEntry, Plan>,
  deps: StageDeps,
): Promise<ReadonlySet<OccurrenceEntry>> {
  const dropped = new Set<OccurrenceEntry>();
  const misfired = [...plans].filter(([, { skipped }]) => skipped).map(([item]) => item);
  if (misfired.length === 0) return dropped;
  const { jobs } = await findJobs([...new Set(misfired.map(({ entry }) => entry.jobKey))], deps);
  for (const item of misfired) {
    const job = jobs.get(item.entry.jobKey);
    if (job?.revision === item.job.revision) continue;
    plans.delete(item);
    dropped.add(item.entry);
  }
  return dropped;
}

/** Repeated later, it only adds to what is recorded already. */
async function recordMisfire(
  { entry, job }: DueEntry,
  skipped: Plan['skipped'],
  deps: StageDeps,
): Promise<void> {
  if (!skipped) return;
  const detail = {
    foundAtMs: deps.clock.nowMs(),
    graceMs: graceMsOf(job, entry.throughMs > entry.dueAtMs),
    policy: job.misfire.policy,
  };
  const count = await recordSkippedRange(job, skipped, { reason: 'misfire', detail }, deps);
  if (count > 0) deps.meter.count(Metric.misfired, count);
}
