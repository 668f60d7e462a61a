import { MINUTE_MS } from '../../lambdas/core/clock/clock';
import type { Lane } from '../../lambdas/core/contracts/pools';
import { type ExecutionQueue, SendError, type Outgoing } from '../../lambdas/core/queue/execution-queue';
import type { RequestQueue } from '../../lambdas/core/queue/request-queue';
import { noAnswer } from '../support/dynamo/errors';
import type { FakeClock } from '../support/fake-clock';
import type { MemoryQueue } from '../support/memory-queue';
import type { Faults } from './faults';
import type { SimNode } from './node';
import { sentBy } from './rollout';
import type { WriteMoment } from './write-kills';

const MAX_DELAY_SEC = 900;

interface Surroundings {
  time: FakeClock;
  faults: Faults;
  queue: MemoryQueue;
  /** A message will be ready to be received after `ms`. */
  readyIn(ms: number): void;
}

/**
 * What the queues have left. `queued`: messages that have been due for a minute, and how long the oldest
 * one has been ready. Dead letters count if no executor has acknowledged them.
 */
export function leftIn(queue: MemoryQueue, time: FakeClock, acknowledged: ReadonlySet<string>) {
  const due = queue.messages.filter(({ startAtMs }) => startAtMs < time.nowMs() - MINUTE_MS);
  const nextMs = queue.nextVisibleAtMs();
  const oldestMs = nextMs === undefined ? undefined : time.monotonicMs() - nextMs;
  const deadLetters = queue.deadLetterIds.filter((id) => !acknowledged.has(id)).length;
  return { queued: { count: due.length, oldestMs }, deadLetters };
}

/** The execution queues as one node sees them. Messages are lost, duplicated, delayed or rejected. */
export function executionQueueOf(
  node: SimNode,
  { time, faults, queue, readyIn }: Surroundings,
): ExecutionQueue {
  const latency = () => time.sleep(2 + node.random.fraction() * 20);
  return {
    async send(messages) {
      if (messages.length === 0) return;
      await node.gate();
      await latency();
      const rejected: Outgoing[] = [];
      for (const outgoing of messages) {
        const at = {
          stage: node.stage,
          detail: `${outgoing.message.execId} attempt ${outgoing.message.attempt}`,
        };
        if (faults.strikes('queue-refused', at)) {
          rejected.push(outgoing);
          continue;
        }
        if (diesAt('before', node, faults)) await node.gate();
        if (faults.strikes('queue-lost', at)) continue;
        const late = faults.strikes('queue-delayed', at) ? node.random.between(1, 240) : 0;
        const copies = faults.strikes('queue-duplicated', at) ? 2 : 1;
        for (let copy = 0; copy < copies; copy++) {
          const delaySec = Math.min(MAX_DELAY_SEC, outgoing.delaySec + late * (copy + 1));
          await queue.send([{ ...outgoing, message: sentBy(node.version, outgoing.message), delaySec }]);
          readyIn(delaySec * 1_000);
        }
        if (diesAt('after', node, faults)) await node.gate();
      }
      await latency();
      const lost = faults.strikes('queue-answer-lost', {
        stage: node.stage,
        detail: `${messages.length} sent`,
      });
      await node.gate();
      if (lost) throw new SendError(messages, { cause: noAnswer() });
      if (rejected.length > 0) throw new SendError(rejected);
    },
    has: (pool: string) => queue.has(pool),
    async backlog(pool: string, lane: Lane) {
      await latency();
      await node.gate();
      return queue.backlog(pool, lane);
    },
  };
}

/** Kills the node if a fault strikes at this message. Those behind it in a batch are then not sent. */
function diesAt(side: WriteMoment['side'], node: SimNode, faults: Faults): boolean {
  if (!faults.killsAt({ stage: node.stage, node: node.name, write: 'message', side })) return false;
  node.kill(`${side} it sent a message`);
  return true;
}

/** A queue of scan or sweep requests as one node sees it. `deliver` runs for each request that arrives. */
export function requestQueueOf<Request extends { v: number }>(
  node: SimNode,
  { time, faults }: Pick<Surroundings, 'time' | 'faults'>,
  deliver: (request: Request) => void,
): RequestQueue<Request> {
  return {
    async send(requests) {
      await node.gate();
      await time.sleep(2 + node.random.fraction() * 20);
      for (const { request, delaySec } of requests) {
        const at = { stage: node.stage, detail: JSON.stringify(request) };
        if (faults.strikes('request-lost', at)) continue;
        const late = faults.strikes('request-delayed', at) ? node.random.between(1, 90_000) : 0;
        const copies = faults.strikes('request-duplicated', at) ? 2 : 1;
        for (let copy = 0; copy < copies; copy++) {
          const afterMs = delaySec * 1_000 + late + node.random.fraction() * 50;
          void time.sleep(afterMs).then(() => deliver(sentBy(node.version, request)));
        }
      }
      await node.gate();
    },
  };
}
