import { chunksOf } from '../async/chunks';
import { inParallel } from '../async/in-parallel';
import { type Clock, SECOND_MS } from '../clock/clock';
import { LEAD } from '../contracts/horizon';
import { usualLaneOf } from '../contracts/messages';
import { delaySecFor } from '../domain/timing';
import {
  type ExecutionQueue,
  MESSAGES_A_BATCH,
  type Outgoing,
  PARALLEL_BATCHES,
  SendError,
} from './execution-queue';

/** By how much a message may miss its phase without a delay that is a second shorter. */
const MISSED_BY_MS = 200;
/** Messages due sooner are sent at once: the wait for their phase could make them late. */
const AT_ONCE_MS = 2 * SECOND_MS;

/** Messages to send together. */
interface Phase {
  /** Milliseconds from the call, less than 1,000. */
  inMs: number;
  messages: Outgoing[];
}

/**
 * A queue that sends each message at the phase of its second. A queue delays by whole seconds. A message sent
 * at any other moment arrives up to a second early, and the executor that receives it is billed for waiting
 * (ADR 12).
 *
 * Ten messages of neighbouring phases share a batch. `send` takes at most a second. The order of the messages
 * is that of the phases, not that of the call.
 *
 * @param leadMs the time that a message needs from the queue to an executor that is running
 */
export const phaseAligned = (
  queue: ExecutionQueue,
  clock: Clock,
  leadMs: number = LEAD.usualMs,
): ExecutionQueue => ({
  has: (pool, priority) => queue.has(pool, priority),
  backlog: (pool, lane) => queue.backlog(pool, lane),

  async send(messages) {
    const startMs = clock.monotonicMs();
    const rejected: Outgoing[] = [];
    let cause: unknown;
    await inParallel(phasesOf(messages, clock.nowMs(), leadMs), PARALLEL_BATCHES, async (phase) => {
      await clock.sleep(startMs + phase.inMs - clock.monotonicMs());
      const nowMs = clock.nowMs();
      const timed = phase.messages.map((one) => ({
        ...one,
        delaySec: delaySecFor(one.message.startAtMs, nowMs, leadMs - MISSED_BY_MS),
      }));
      try {
        await queue.send(timed);
      } catch (error) {
        rejected.push(...(error instanceof SendError ? error.rejected : timed));
        cause ??= error;
      }
    });
    if (rejected.length > 0) throw new SendError(rejected, { cause });
  },
});

/** Groups messages into phases, in order of time. */
function phasesOf(messages: readonly Outgoing[], nowMs: number, leadMs: number): Phase[] {
  const soon: Outgoing[] = [];
  const lanes = new Map<string, PhasedMessage[]>();
  for (const one of messages) {
    const { startAtMs, pool } = one.message;
    if (startAtMs - nowMs < AT_ONCE_MS) {
      soon.push(one);
      continue;
    }
    const lane = JSON.stringify([pool, one.lane ?? usualLaneOf(one.message)]);
    const inMs = (startAtMs - leadMs - nowMs) % SECOND_MS;
    const phased = lanes.get(lane);
    if (phased) phased.push({ inMs, one });
    else lanes.set(lane, [{ inMs, one }]);
  }
  const phases = [...lanes.values()].flatMap(batchesOf).sort((a, b) => a.inMs - b.inMs);
  return soon.length > 0 ? [{ inMs: 0, messages: soon }, ...phases] : phases;
}

interface PhasedMessage {
  inMs: number;
  one: Outgoing;
}

/** Batches of ten neighbours on the circle of a second. The circle is cut at its longest gap. */
function batchesOf(lane: PhasedMessage[]): Phase[] {
  lane.sort((a, b) => a.inMs - b.inMs);
  const gapBefore = (index: number) =>
    index === 0 ? lane[0]!.inMs + SECOND_MS - lane.at(-1)!.inMs : lane[index]!.inMs - lane[index - 1]!.inMs;
  let first = 0;
  for (let index = 1; index < lane.length; index++) if (gapBefore(index) > gapBefore(first)) first = index;
  const circle = [...lane.slice(first), ...lane.slice(0, first)];
  return chunksOf(circle, MESSAGES_A_BATCH).map((batch) => ({
    inMs: batch[0]!.inMs,
    messages: batch.map(({ one }) => one),
  }));
}
