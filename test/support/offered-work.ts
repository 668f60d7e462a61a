import type { Job } from '../../lambdas/core/domain/job';
import type { WorkerTarget } from '../../lambdas/core/domain/target';
import type { ClaimView, WorkView } from '../../lambdas/core/http/openapi/work';
import { T0_MS } from './factories';
import { newJobAt } from './new-job';
import { PipelineWorld } from './pipeline-world';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const DUE_MS = T0_MS + 30_000;
export const target: WorkerTarget = { type: 'worker', queue: 'warehouse', heartbeatTimeout: '60s' };
export const once = { type: 'at' as const, at: new Date(DUE_MS).toISOString() };

/** A world just after the due time of its one-time worker job. */
export async function offered(overrides: Partial<Job> = {}) {
  const world = await PipelineWorld.started(1);
  const job = await world.create(
    newJobAt(world, { schedule: once, target, payload: { table: 'orders' }, timeout: '3h', ...overrides }),
  );
  await world.run(DUE_MS - world.clock.nowMs() + SECOND_MS);
  return { world, job, ...actions(world) };
}

export const actions = (world: PipelineWorld) => ({
  claim: async (body: object = {}, headers: Record<string, string> = {}): Promise<WorkView[]> => {
    const asking = world.api('claimWork', {}, { queue: 'warehouse', ...body }, headers);
    const { status, body: view } = await asking;
    expect(status).toBe(200);
    return (view as ClaimView).work;
  },
  report: (
    operation: 'heartbeatAttempt' | 'completeAttempt' | 'failAttempt' | 'releaseWork',
    { token }: Pick<WorkView, 'token'>,
    body?: unknown,
  ) => world.api(operation, {}, body, { authorization: `Bearer ${token}` }),
  tickets: () => world.tables.rows('schedule').filter(({ bucket }) => String(bucket).startsWith('#work#')),
});
