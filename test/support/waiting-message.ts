import { SECOND_MS } from '../../lambdas/core/clock/clock';
import { executeBatch } from '../../lambdas/executor/execute-batch';
import type { ExecutorDeps } from '../../lambdas/executor/deps';
import { aMessage, T0_MS } from './factories';
import { newJobAt } from './new-job';
import { PipelineWorld } from './pipeline-world';

/** When the job is due. */
export const DUE_MS = T0_MS + 10 * SECOND_MS;
const LIMITS = { remainingMs: () => 60 * SECOND_MS };

/** A world so long before its only job is due, where no stage works by itself. */
export async function worldBefore(earlyMs: number) {
  const world = await PipelineWorld.started(1);
  const job = newJobAt(world, { schedule: { type: 'at', at: new Date(DUE_MS).toISOString() } });
  await world.deps.jobs.create(job);
  Object.assign(world.on, { tick: false, sweep: false, executor: false });
  await world.run(DUE_MS - earlyMs - world.clock.nowMs());
  /** What was noted, and when: ms after the job's time. */
  const log: [string, number][] = [];
  const note = (what: string) => void log.push([what, world.clock.nowMs() - DUE_MS]);
  /** Begins to execute the message of the job. */
  const execute = (deps: ExecutorDeps, own: Parameters<typeof aMessage>[0] = {}) => {
    const message = aMessage({ dueAtMs: DUE_MS, revision: job.revision, ...own });
    return { message, executing: executeBatch([{ id: 'm', message }], deps, LIMITS) };
  };
  return { world, log, note, execute };
}
