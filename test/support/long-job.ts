import type { HttpTarget } from '../../lambdas/core/domain/target';
import type { Job } from '../../lambdas/core/domain/job';
import { T0_MS } from './factories';
import { newJobAt } from './new-job';
import { PipelineWorld } from './pipeline-world';

/** When the job of `longJob` is due. */
export const DUE_MS = T0_MS + 30_000;

/** The 202 of a target that reports later. */
export const ACCEPTED = { outcome: 'accepted', statusCode: 202 } as const;

type Report = 'heartbeatAttempt' | 'completeAttempt' | 'failAttempt';

/**
 * A world before the due time of its one-time job, whose target answers 202. `tokens` are in call order.
 */
export async function longJob({
  heartbeatTimeout,
  overrides,
}: { heartbeatTimeout?: string; overrides?: Partial<Job> } = {}) {
  const world = await PipelineWorld.started(1);
  const tokens: string[] = [];
  world.behaviour = () => ACCEPTED;
  world.observe = ({ headers }) => tokens.push(headers['quarterjack-token']!);
  const target = { ...(newJobAt(world, {}).target as HttpTarget), mode: 'async' as const, heartbeatTimeout };
  const schedule = { type: 'at' as const, at: new Date(DUE_MS).toISOString() };
  const job = await world.create(newJobAt(world, { schedule, target, timeout: '7d', ...overrides }));
  const report = (operation: Report, token: string) => (body?: unknown) =>
    world.api(operation, {}, body, { authorization: `Bearer ${token}` });
  return {
    world,
    job,
    tokens,
    heartbeat: (call = 0) => report('heartbeatAttempt', tokens[call]!)(),
    complete: (call = 0, body?: unknown) => report('completeAttempt', tokens[call]!)(body),
    fail: (call = 0, body?: unknown) => report('failAttempt', tokens[call]!)(body),
    execution: () => world.executions(job)[0]!,
    /** The execution as the API shows it. */
    seen: async () =>
      (await world.api('getExecution', { jobId: job.jobId, execId: world.executions(job)[0]!.execId })).body,
  };
}
