import { MINUTE_MS, SECOND_MS } from '../../lambdas/core/clock/clock';
import { errandNameOf } from '../../lambdas/core/delivery/errands/errand-name';
import type { Execution } from '../../lambdas/core/domain/execution';
import type { Job } from '../../lambdas/core/domain/job';
import { T0_MS } from './factories';
import { MACHINE } from './fake-errands';
import { newJobAt } from './new-job';
import { PipelineWorld } from './pipeline-world';

export const DUE_MS = T0_MS + MINUTE_MS;
const target = { type: 'stepfunctions', stateMachineArn: MACHINE, wait: true } as const;

export async function worldWith(overrides: Partial<Job> = {}): Promise<{ world: PipelineWorld; job: Job }> {
  const world = await PipelineWorld.started(1);
  const schedule = { type: 'at' as const, at: new Date(DUE_MS).toISOString() };
  const job = await world.create(
    newJobAt(world, { schedule, target, timeout: '10m', payload: { n: 1 }, ...overrides }),
  );
  return { world, job };
}

export const rowOf = (world: PipelineWorld, job: Job): Execution => world.executions(job)[0]!;
export const nameOf = (world: PipelineWorld, job: Job): string => errandNameOf(rowOf(world, job))!;
export const eventOf = (name: string, how: string, more: object = {}) => ({
  source: 'aws.states',
  account: '111122223333',
  region: 'eu-central-1',
  detail: { name, how, ...more },
});
export const untilStarted = (world: PipelineWorld) => world.run(DUE_MS - T0_MS + 5 * SECOND_MS);

/** The executor dies when it has started the errand, before it can delegate the lease. */
export function diesAfterStart(world: PipelineWorld): void {
  let kill: (() => void) | undefined;
  world.onExecutorCall = (_, killer) => (kill = killer);
  world.errands.onStart = () => {
    kill?.();
    world.onExecutorCall = undefined;
    world.errands.onStart = () => ({ how: 'started' });
    return { how: 'started' };
  };
}
