import { DAY_MS } from '../clock/clock';
import { isLimited, type LimitedMessage } from '../contracts/messages';
import { jobRefOf, slotsKeyOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import { lifeOf } from '../domain/work';
import type { Admission } from '../domain/admission';
import { limitNameOf } from '../domain/job';
import { expiresAtSecAfter } from '../domain/timing';
import { isFinished } from '../history/coverage';
import type { SlotTicketRef } from '../store/concurrency-store';
import { type Gate, GO, type Released, SKIP, WAIT } from './gate';
import { isSameExecution } from './ordering-queue';
import {
  concurrencyKeyRefOf,
  type KeyRule,
  ruleOf,
  slotPositionOf,
  type SlotPosition,
  type SlotSeeker,
} from './slots';
import { countStart, sendForStart, startInSlot } from './rate';
import { wakeIfKeysAreNew } from './wake-execution';
import { MOST_WOKEN, TICKETS_A_READ, wakeNextStart, wakeWaiting } from './wake-waiting';

/** Slots change hands while they are read. Each try finds others. */
const TRIES = 10;
/** The longest time between two claims of an execution: an attempt of 7 days, then a pause of 30. */
const HELD_FOR_DAYS = 40;

/** A concurrency key: a limited number of its executions run at a time, and start in a period. */
export const concurrencyKeyGate: Gate = {
  followUp: 'release-slot',
  isKeptWaiting: false,
  concerns: isLimited,
  peek: async () => GO,
  admit: async (message, deps) => (isLimited(message) ? takeSlot(message, deps) : GO),
  whileWaiting: async () => [],
  resourceOf: (ended) => slotsKeyOf(concurrencyKeyRefOf(ticketRefOf(ended))),
  release: releaseSlots,
};

const ticketRefOf = ({ jobKey, execId, askedAtMs, concurrencyKey }: Released): SlotTicketRef => ({
  jobKey,
  execId,
  askedAtMs,
  concurrencyKey: concurrencyKey!,
});

/**
 * Takes a slot, and counts the start if the key has a rate. The execution holds the slot through all its
 * retries, until it is terminal. If no slot or start is free, it writes a ticket and reads once more. An end
 * or a start in between either sees the ticket, or is seen.
 */
async function takeSlot(message: LimitedMessage, deps: StageDeps): Promise<Admission> {
  const rule = await ruleOf(concurrencyKeyRefOf(message), deps);
  if (rule.name === `${message.concurrencyKey}*` && (await isKeyOfJob(rule.name, message, deps))) return GO;
  let isEnqueued = false;
  for (let tries = 0; tries < TRIES; tries++) {
    const position = await slotPositionOf(message, rule, deps);
    const hasTicket = position.hasTicket || isEnqueued;
    if (position.at === 'in-slot') {
      if ((position.holder.userRetries ?? 0) > (lifeOf(message) ?? 0)) return WAIT;
      if (position.holder.userRetries === lifeOf(message)) {
        const started = await startInSlot(message, rule, position.startLog, deps);
        if (started === 'changed') continue;
        return started === 'wait' ? WAIT : admitted(started, message, rule, deps);
      }
    }
    if (position.at === 'behind') {
      if (hasTicket) {
        if (position.startsAtMs !== undefined) await sendForStart(message, position.startsAtMs, deps);
        for (const holder of position.silent ?? []) await wakeIfKeysAreNew(holder, deps);
        return WAIT;
      }
      if (await isFinished(message, deps)) return SKIP;
      await enqueueSlotTicket(message, deps);
      isEnqueued = true;
      continue;
    }
    if (await isFinished(message, deps)) return leave(message, rule, deps);
    if ((await take(message, position, deps)) === 'occupied') continue;
    if (hasTicket) await deps.concurrency.dequeue(message);
    if (!rule.rate) return GO;
    // Last, so that little lies between the count and the claim.
    const counted = await countStart(message, rule.rate, position.startLog, deps);
    if (counted === 'wait') return WAIT;
    if (counted === 'counted') return admitted(counted, message, rule, deps);
  }
  if (!isEnqueued) await enqueueSlotTicket(message, deps);
  return WAIT;
}

/**
 * Whether a job has the derived keys of a rule. If an execution of it has but their beginning, its payload
 * has no value for its key. It fails without a call, so it needs neither slot nor start.
 */
async function isKeyOfJob(rule: string, { jobKey }: LimitedMessage, { jobs }: StageDeps): Promise<boolean> {
  const job = await jobs.get(jobRefOf(jobKey));
  return job?.concurrencyKey !== undefined && limitNameOf(job.concurrencyKey) === rule;
}

/** Nothing of it is left to run. If the rate let it come, the next one comes in its place. */
async function leave(message: LimitedMessage, rule: KeyRule, deps: StageDeps): Promise<Admission> {
  if (rule.rate) await wakeNextStart(concurrencyKeyRefOf(message), rule, deps);
  return SKIP;
}

/** Each start wakes the next, while the claim is written. */
const admitted = (
  started: 'counted' | 'go',
  message: LimitedMessage,
  rule: KeyRule,
  deps: StageDeps,
): Admission =>
  started === 'go' ? GO : { ...GO, meanwhile: () => wakeNextStart(concurrencyKeyRefOf(message), rule, deps) };

/** Takes a free slot, or the own one again in a later life. */
async function take(
  message: LimitedMessage,
  position: Extract<SlotPosition, { at: 'in-slot' | 'free' }>,
  deps: StageDeps,
): Promise<'taken' | 'occupied'> {
  const { jobKey, execId, dueAtMs } = message;
  const userRetries = lifeOf(message);
  const nowMs = deps.clock.nowMs();
  const seen = position.at === 'in-slot' ? position.holder : position;
  const holder = { slot: seen.slot, jobKey, execId, dueAtMs, takeId: deps.random.id(), takenAtMs: nowMs };
  return deps.concurrency.take(
    concurrencyKeyRefOf(message),
    userRetries === undefined ? holder : { ...holder, userRetries },
    {
      expiresAtSec: expiresAtSecAfter(nowMs + HELD_FOR_DAYS * DAY_MS, deps.retentionDays),
      insteadOf: position.at === 'in-slot' ? position.holder : position.insteadOf,
    },
  );
}

const enqueueSlotTicket = (message: LimitedMessage, deps: StageDeps): Promise<void> =>
  deps.concurrency.enqueue(
    message,
    expiresAtSecAfter(Math.max(deps.clock.nowMs(), message.dueAtMs), deps.retentionDays),
  );

/** Where an execution without a claim stands: for the recheck that decides whether its message was lost. */
export async function slotStateOf(seeker: SlotSeeker, deps: StageDeps): Promise<'wait' | 'came' | 'none'> {
  const rule = await ruleOf(concurrencyKeyRefOf(seeker), deps);
  const position = await slotPositionOf(seeker, rule, deps);
  if (position.at === 'in-slot') return 'came';
  const hasTicket = position.hasTicket || (await deps.concurrency.hasTicket(seeker));
  if (!hasTicket) return 'none';
  return position.at === 'free' ? 'came' : 'wait';
}

/** Releases what the execution of a message may hold, though no row says so: it has ended, or never ran. */
export const releaseSlotOf = (message: LimitedMessage, deps: StageDeps): Promise<void> =>
  releaseSlots([{ ...message, status: 'skipped' }], deps);

/**
 * Frees the slots of ended executions, and wakes as many of those that wait as there are free slots.
 * Repeating it does no harm: an execution that holds no slot frees none, and one that was woken twice is
 * claimed once.
 */
async function releaseSlots(ended: readonly [Released, ...Released[]], deps: StageDeps): Promise<void> {
  const [first] = ended;
  const ref = concurrencyKeyRefOf(ticketRefOf(first));
  const seen = await deps.concurrency.peek(ref, TICKETS_A_READ);
  const isEnded = (one: { jobKey: string; execId: string; userRetries?: number }) =>
    ended.some((over) => isSameExecution(over, one) && (lifeOf(over) ?? 0) >= (one.userRetries ?? 0));
  const freed = seen.holders.filter(isEnded);
  for (const holder of freed) await deps.concurrency.free(ref, holder);
  if (seen.tickets.length === 0) return;
  // Several processes free slots at the same time. The last one sees all that are free.
  const now = freed.length > 0 ? await deps.concurrency.peek(ref, TICKETS_A_READ) : seen;
  const rule = await ruleOf(ref, deps);
  // If slots were free before, a start has sent the message of the first one for its time.
  const forLater = seen.holders.length >= rule.limit;
  await wakeWaiting(ref, now, rule, { most: MOST_WOKEN, forLater }, deps);
}
