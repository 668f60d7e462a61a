import { type Clock, SECOND_MS } from '../clock/clock';
import type { LaneChoice } from '../contracts/messages';
import type { Lane } from '../contracts/pools';
import type { Log } from '../telemetry/telemetry';
import type { ExecutionQueue } from './execution-queue';

/**
 * What delays messages: in the queue of their priority or in the overflow queue, since it is unknown which of
 * the two they took. Those of long calls are in the lane for these.
 *
 * - `waiting`: no executor has received the messages yet, so the queue is long.
 * - `in-flight`: executors have received all of them. An idle executor claims at once, so this lasts only if
 *   an executor has died with its messages. The queue then hides them for its whole visibility time.
 * - `unknown`: the queue did not answer. A message that is sent again does no harm, since one claim wins.
 */
export type BacklogState = 'none' | 'unknown' | 'in-flight' | 'waiting';

export type BacklogOf = (messages: LaneChoice & { pool: string }) => Promise<BacklogState>;

/** For how long a queue that did not answer is not asked again. */
const UNKNOWN_FOR_MS = SECOND_MS;

interface KnownState {
  state: Promise<BacklogState>;
  /** Monotonic time until which it counts. */
  untilMs: number;
}

/** Asks each queue once a pass, before the pass itself has sent anything. Never rejects. */
export function backlogs({
  queue,
  clock,
  log,
}: {
  queue: Pick<ExecutionQueue, 'backlog'>;
  clock: Pick<Clock, 'monotonicMs'>;
  log: Log;
}): BacklogOf {
  const answers = new Map<string, KnownState>();
  const ask = (pool: string, lane: Lane): Promise<BacklogState> => {
    const key = `${pool}/${lane}`;
    const known = answers.get(key);
    if (known && clock.monotonicMs() < known.untilMs) return known.state;
    const asked: KnownState = {
      untilMs: Number.POSITIVE_INFINITY,
      state: queue.backlog(pool, lane).then(backlogIn, (error: unknown) => {
        asked.untilMs = clock.monotonicMs() + UNKNOWN_FOR_MS;
        log.warn('backlog of a queue is unknown', { pool, lane, error });
        return 'unknown';
      }),
    };
    answers.set(key, asked);
    return asked.state;
  };
  return async ({ pool, priority, longCall }) => {
    if (longCall) return ask(pool, 'long');
    const both = await Promise.all([ask(pool, priority), ask(pool, 'overflow')]);
    return LONGEST_FIRST.find((backlog) => both.includes(backlog))!;
  };
}

const LONGEST_FIRST: readonly BacklogState[] = ['waiting', 'in-flight', 'unknown', 'none'];

const backlogIn = ({ visible, inFlight }: { visible: number; inFlight: number }): BacklogState =>
  visible > 0 ? 'waiting' : inFlight > 0 ? 'in-flight' : 'none';
