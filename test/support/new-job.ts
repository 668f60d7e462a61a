import type { Job } from '../../lambdas/core/domain/job';
import { aJob } from './factories';
import type { PipelineWorld } from './pipeline-world';

/** A job that is created now, in the world's time. */
export function newJobAt(world: PipelineWorld, overrides: Partial<Job>): ReturnType<typeof aJob> {
  const nowMs = world.clock.nowMs();
  const stamps = { createdAtMs: nowMs, updatedAtMs: nowMs, scheduleChangedAtMs: nowMs, activeSinceMs: nowMs };
  return aJob({ ...stamps, ...overrides });
}
