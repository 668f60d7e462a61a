import type { Chance } from './clock/random';
import type { Clock } from './clock/clock';
import type { ExecutionQueue } from './queue/execution-queue';
import type { ExecutionStore } from './store/execution-store';
import type { HoldStore } from './store/overlap-lock-store';
import type { JobStore } from './store/job-store';
import type { LineStore } from './store/ordering-store';
import type { ScheduleStore } from './store/schedule-store';
import type { Log, Meter } from './telemetry/telemetry';

/** The number of shards that writers use now. */
export type ShardsInForce = () => Promise<number>;

/** Whether an operator has stopped the deployment for maintenance. */
export type IsStopped = () => Promise<boolean>;

/** What the scanner's step needs, whoever does it. */
export interface DispatchDeps {
  jobs: JobStore;
  executions: ExecutionStore;
  holds: HoldStore;
  lines: LineStore;
  schedule: ScheduleStore;
  queue: ExecutionQueue;
  clock: Clock;
  chance: Chance;
  shards: ShardsInForce;
  stopped: IsStopped;
  log: Log;
  meter: Meter;
  /** How long a finished execution stays readable. */
  retentionDays: number;
  /** The scanner works on buckets that begin up to this far ahead. */
  horizonMs: number;
}
