import type { IncomingRequest } from '../../lambdas/api/admit';
import type { ApiDeps, ApiResponse } from '../../lambdas/api/request';
import type { FakeClock } from '../support/fake-clock';
import { jobRefOf } from '../../lambdas/core/contracts/tables';
import type { ExecutionRef } from '../../lambdas/core/store/execution-store';
import { routeOf } from '../support/route-of';
import type { MomentFault, Table } from './faults';
import type { EventLog } from './log';
import type { SimNode } from './node';
import { callerOf } from '../support/caller';

const MINUTE_MS = 60_000;
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

/** Times since the beginning of the run. */
export interface Restore {
  table: Table;
  /** To which time the table is put back. */
  toMs: number;
  /** When maintenance mode begins for it. */
  stopMs: number;
}

/** How long operators wait for attempts and messages: see docs/restore.md. */
const DRAINED_AFTER_MS = 6 * MINUTE_MS;
/** From the stop on. A little more than draining and both requests, with their repeats, take. */
export const RESTORED_WITHIN_MS = DRAINED_AFTER_MS + 3 * MINUTE_MS;

/** Cancels what was open in a restored table of executions: its entries may be settled. */
async function cancelOpen(open: readonly ExecutionRef[], world: OperatedWorld): Promise<void> {
  for (const { jobKey, execId } of open) {
    const { userId, jobId } = jobRefOf(jobKey);
    await world.api({
      route: routeOf('cancelExecution'),
      requestId: `cancel-${execId}`,
      ...callerOf(userId, 'jobs:write', 'runs:operate'),
      params: { jobId, execId },
      query: new Map(),
      headers: {},
    });
  }
}

/** Puts one table back as docs/restore.md says. Clients keep away meanwhile: the plan has no action then. */
export async function restoreTable(
  { table, toMs, stopMs }: Restore,
  world: OperatedWorld & { log: EventLog; restore(table: Table, toMs: number): ExecutionRef[] },
): Promise<void> {
  const { time } = world;
  const beganMs = time.nowMs() - time.monotonicMs();
  await time.sleep(stopMs - time.monotonicMs());
  await repeatUntilConfirmed('stopDeployment', world, { state: 'stopped', tick: 'off' });
  await time.sleep(DRAINED_AFTER_MS);
  world.log.add({ src: 'operator', type: 'restored', toMs: beganMs + toMs });
  const open = world.restore(table, beganMs + toMs);
  await repeatUntilConfirmed('startDeployment', world, { state: 'running', tick: 'on' });
  if (table === 'executions') await cancelOpen(open, world);
}

async function repeatUntilConfirmed(
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
