import type { PipelineWorld } from './pipeline-world';

type Part = keyof PipelineWorld['on'];
const SCHEDULER: readonly Part[] = ['tick', 'scan', 'sweep'];

/** Parts of the world (all that plans, where none are named) stop for `ms`, and come back. */
export async function outage(
  world: PipelineWorld,
  ms: number,
  parts: readonly Part[] = SCHEDULER,
): Promise<void> {
  for (const part of parts) world.on[part] = false;
  await world.run(ms);
  for (const part of parts) world.on[part] = true;
}
