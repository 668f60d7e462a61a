import type { IncomingRequest } from '../../lambdas/api/admit';
import type { ApiDeps, ApiResponse } from '../../lambdas/api/request';
import type { FakeClock } from '../support/fake-clock';
import { routeOf } from '../support/route-of';
import type { MomentFault } from './faults';
import type { EventLog } from './log';
import type { SimNode } from './node';
import { callerOf } from '../support/caller';

const REPEAT_AFTER_MS = 5_000;
const SCHEDULER_ANSWERS_WITHIN_MS = 20;

/** The tick's schedule, as EventBridge Scheduler has it. */
export class TickSchedule {
  state: 'on' | 'off' = 'on';

  constructor(
    private readonly time: FakeClock,
    private readonly log: EventLog,
  ) {}

  switchOf(node: SimNode): ApiDeps['tickSwitch'] {
    const answer = async () => {
      await this.time.sleep(node.random.fraction() * SCHEDULER_ANSWERS_WITHIN_MS);
      await node.gate();
    };
    return {
      state: async () => {
        await answer();
        return this.state;
      },
      set: async (to) => {
        await answer();
        this.state = to;
        this.log.add({ src: 'operator', type: 'tick', to });
      },
    };
  }
}

/** What operators use of the world. */
export interface OperatedWorld {
  time: FakeClock;
  api(request: IncomingRequest): Promise<ApiResponse | undefined>;
}

/**
 * Stops the deployment for maintenance and starts it again. The operator repeats each request until the API
 * confirms it: a request may be lost, or be cut off half-way.
 */
export async function maintain({ fromMs, untilMs }: MomentFault, world: OperatedWorld): Promise<void> {
  const { time } = world;
  await time.sleep(fromMs - time.monotonicMs());
  await repeatUntilConfirmed('stopDeployment', world, { state: 'stopped', tick: 'off' });
  await time.sleep(untilMs - time.monotonicMs());
  await repeatUntilConfirmed('startDeployment', world, { state: 'running', tick: 'on' });
}

export async function repeatUntilConfirmed(
  operation: 'stopDeployment' | 'startDeployment',
  world: OperatedWorld,
  expected: { state: string; tick: string },
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const response = await world.api({
      route: routeOf(operation),
      requestId: `${operation}-${tries}`,
      ...callerOf('operator', 'admin'),
      params: {},
      query: new Map(),
      headers: {},
    });
    await world.time.sleep(REPEAT_AFTER_MS);
    const { state, tick } = (response?.body ?? {}) as Partial<typeof expected>;
    if (response?.status === 200 && state === expected.state && tick === expected.tick) return;
  }
}
