import type { Execution } from '../../../lambdas/core/domain/execution';
import type { Job } from '../../../lambdas/core/domain/job';
import { parseDuration } from '../../../lambdas/core/schedule/duration';
import type { WorkTicketRecord } from '../log';
import { TIMEOUT_MS } from '../stages';
import { groupBy, idOf, isManual, isPlanned, isTask, scheduleIn, type Story, versionsIn } from '../story';
import { indexed, rowOf } from '../story-index';
import { broken, clockTime, open, type Violation } from '../violation';

const MINUTE_MS = 60_000;
/** A ticket is claimed, rechecked or removed within this time, unless it waits. */
const SETTLED_MS = 3 * MINUTE_MS;
/** The first recheck comes 20 s after the time, or a minute later if the minute has several. */
const FIRST_RECHECK_MS = 3 * MINUTE_MS;
/** Each repeated sweep may file the entry again. Rechecks without end would be far more. */
const MOST_ENTRIES = 8;
/** A stage reads job and ticket at most this long before it ends an execution: it lives no longer. */
const DECIDED_WITHIN_MS = TIMEOUT_MS.sweeper;
const DEFAULT_START_WITHIN_MS = 24 * 60 * MINUTE_MS;

/** A ticket, and until when it stood. */
export interface HeldTicket extends WorkTicketRecord {
  fromMs: number;
  untilMs: number;
  /** From when each of its messages stood, in order. */
  messages: { fromMs: number; startAtMs: number }[];
}

/** All tickets of work queues, in the order of their first offers. */
export const ticketsIn = ({ records }: Pick<Story, 'records'>): readonly HeldTicket[] => tickets(records);

const tickets = indexed((records: Story['records']): readonly HeldTicket[] => {
  const present = new Map<string, HeldTicket>();
  const all: HeldTicket[] = [];
  for (const record of records) {
    if (record.src !== 'table' || record.type !== 'work-ticket') continue;
    const { t, exists, offerId, startAtMs } = record;
    const known = present.get(offerId);
    const message = { fromMs: t, startAtMs };
    if (known && exists) known.messages.push(message);
    else if (known) known.untilMs = t;
    else if (exists) {
      const ticket = { ...record, fromMs: t, untilMs: Number.POSITIVE_INFINITY, messages: [message] };
      present.set(offerId, ticket);
      all.push(ticket);
    }
  }
  return all;
});

/** The tickets that stand at the end, by the id of their executions. */
export const waitingAtEnd = ({ records }: Pick<Story, 'records'>): ReadonlyMap<string, HeldTicket> =>
  waiting(records);

const waiting = indexed(
  (records: Story['records']): ReadonlyMap<string, HeldTicket> =>
    new Map(
      tickets(records).flatMap((ticket) =>
        ticket.untilMs === Number.POSITIVE_INFINITY ? [[idOf(ticket), ticket]] : [],
      ),
    ),
);

/** When rechecks filed entries of attempts, by the id of the execution. */
const filedEntries = indexed((records: Story['records']) =>
  groupBy(
    records.flatMap((record) =>
      record.src === 'table' && record.type === 'entry' && record.entry.kind === 'attempt'
        ? [{ id: idOf(record.entry), t: record.t, attempt: record.entry.attempt }]
        : [],
    ),
    ({ id }) => id,
  ),
);

/**
 * Tickets have a future, cause no rechecks while they stand, and none is given up before its time to
 * start.
 */
export function checkWorkers(story: Story): Violation[] {
  const all = ticketsIn(story);
  if (all.length === 0) return [];
  return [
    ...all.flatMap((ticket) => [...checkFuture(ticket, story), ...checkQuiet(ticket, story)]),
    ...story.end.executions.flatMap((row) => [...checkNotStarted(row, all, story)]),
  ];
}

/** What waits for a worker is rechecked some day. */
function* checkFuture(ticket: HeldTicket, { end, endMs }: Story): Generator<Violation> {
  if (ticket.untilMs < endMs || ticket.fromMs > endMs - SETTLED_MS) return;
  const row = rowOf({ end }, idOf(ticket));
  if (!waits(ticket, row)) return;
  const has = end.entries.some(
    (entry) =>
      entry.jobKey === ticket.jobKey &&
      (entry.kind === 'attempt'
        ? entry.execId === ticket.execId
        : entry.dueAtMs <= ticket.dueAtMs && ticket.dueAtMs <= entry.throughMs),
  );
  if (!has) yield open('ticket', `${idOf(ticket)} has a ticket and no entry`);
}

/** Whether the ticket's attempt can still be claimed. One that cannot is removed by the next claim. */
const waits = ({ attempt, userRetries }: WorkTicketRecord, row: Execution | undefined): boolean =>
  row
    ? ['queued', 'retrying'].includes(row.status) &&
      row.attempt === attempt &&
      row.userRetries === userRetries
    : attempt === 1 && userRetries === undefined;

/** A ticket is durable: between the first recheck and its limit, its execution is not rechecked. */
function* checkQuiet(ticket: HeldTicket, { records, endMs }: Story): Generator<Violation> {
  const fromMs = ticket.fromMs + FIRST_RECHECK_MS;
  const untilMs = Math.min(ticket.untilMs, ticket.fromMs + ticket.startWithinMs, endMs);
  if (untilMs <= fromMs) return;
  const filed = (filedEntries(records).get(idOf(ticket)) ?? []).filter(
    ({ t, attempt }) => t >= fromMs && t < untilMs && attempt === ticket.attempt,
  );
  if (filed.length > MOST_ENTRIES)
    yield broken('ticket-quiet', `${idOf(ticket)}: rechecked ${filed.length} times while its ticket stood`);
}

/** Whether an execution has ended because no worker came. */
export const isNotStarted = ({ status, reason, detail }: Execution): boolean =>
  (status === 'failed' && reason === 'not-started') ||
  (status === 'skipped' && reason === 'misfire' && detail?.queue !== undefined);

function* checkNotStarted(row: Execution, all: readonly HeldTicket[], story: Story): Generator<Violation> {
  if (!isNotStarted(row) || story.conditions.wildClocks) return;
  const { offeredAtMs, queue } = row.detail ?? {};
  const what = `${idOf(row)}: ${row.reason}`;
  const ticket = all.find(
    (one) => idOf(one) === idOf(row) && one.offeredAtMs === offeredAtMs && one.queue.endsWith(`/${queue}`),
  );
  if (!ticket) return yield broken('not-started', `${what}, and it was never offered`);
  // The unblocking of its key writes the row once more.
  const endedMs = (story.states.get(idOf(row)) ?? []).find(
    ({ execution }) => isNotStarted(execution) && execution.finishedAtMs === row.finishedAtMs,
  )?.t;
  if (endedMs === undefined) return;
  const limitMs = ticket.offeredAtMs + startWithinMs(ticket, endedMs, story) - story.conditions.skewMs;
  if (endedMs < limitMs)
    yield broken('not-started', `${what} at ${clockTime(endedMs)}, before ${clockTime(limitMs)}`);
}

/**
 * How long an execution could wait for a worker by any definition that it may have been ended by. A job that
 * names another queue ends nothing in this one.
 */
function startWithinMs(ticket: HeldTicket, endedMs: number, story: Story): number {
  const { jobKey, execId, queue, messages } = ticket;
  if (isTask(execId)) return ticket.startWithinMs; // a run keeps its version of the workflow
  const readFromMs = endedMs - DECIDED_WITHIN_MS;
  const starts = messages.flatMap(({ fromMs, startAtMs }, index) => {
    const untilMs = messages[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
    return fromMs <= endedMs && untilMs >= readFromMs ? [startAtMs] : [];
  });
  const times = versionsIn(story, jobKey, readFromMs, endedMs).flatMap(({ job }) => {
    if (!job || job.target?.type !== 'worker' || !queue.endsWith(`/${job.target.queue}`)) return [];
    const { startWithin } = job.target;
    if (startWithin !== undefined) return [parseDuration(startWithin)];
    return starts.map((startAtMs) => untilNextMs(ticket, startAtMs, job));
  });
  return Math.min(...times);
}

/** The default: an occurrence that was not begun waits until the next one is due, at most a day. */
function untilNextMs(
  { jobKey, execId, attempt, userRetries }: HeldTicket,
  startAtMs: number,
  job: Job,
): number {
  if (attempt > 1 || userRetries !== undefined || isManual(execId)) return DEFAULT_START_WITHIN_MS;
  const nextMs = scheduleIn(job, jobKey).next(Math.max(startAtMs, job.scheduleChangedAtMs));
  if (nextMs === undefined || !isPlanned(job, jobKey, nextMs)) return DEFAULT_START_WITHIN_MS;
  return Math.min(DEFAULT_START_WITHIN_MS, nextMs - startAtMs);
}
