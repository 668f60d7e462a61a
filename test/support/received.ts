import type { ExecutionMessage } from '../../lambdas/core/contracts/messages';
import type { Lane } from '../../lambdas/core/contracts/pools';
import type { PipelineWorld } from './pipeline-world';

/** Calls `visit` with each message that executors receive from now on, in order. */
export function eachReceived(
  world: PipelineWorld,
  visit: (message: ExecutionMessage, lane: Lane) => void,
): void {
  const receive = world.queue.receive.bind(world.queue);
  world.queue.receive = (pool, lane, max) => {
    const batch = receive(pool, lane, max);
    for (const { message } of batch) visit(message, lane);
    return batch;
  };
}

/** The lanes from which executors receive messages from now on, in order. */
export function lanesOf(world: PipelineWorld): Lane[] {
  const lanes: Lane[] = [];
  eachReceived(world, (_, lane) => lanes.push(lane));
  return lanes;
}
