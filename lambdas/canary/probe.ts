import { type Clock, MINUTE_MS } from '../core/clock/clock';
import type { ExecutionView } from '../core/http/openapi/execution';
import { Metric } from '../core/contracts/metrics';
import { CANARY_LANES, type CanaryLane } from '../core/contracts/pools';
import { execIdOfOccurrence } from '../core/contracts/tables';
import type { Log, Meter } from '../core/telemetry/telemetry';

export interface ApiAnswer {
  status: number;
  body: unknown;
}

/** The API, called as the canary's own user. */
export interface Api {
  putJob(jobId: string, definition: object): Promise<ApiAnswer>;
  getExecution(jobId: string, execId: string): Promise<ApiAnswer>;
}

export interface CanaryDeps {
  api: Api;
  clock: Clock;
  log: Log;
  meter: Meter;
  /** The canary's jobs call this endpoint of the deployment, which always exists. */
  targetUrl: string;
}

/** The canary runs once in each slot, within a minute of the slot's start. */
const SLOT_MS = 5 * MINUTE_MS;
/**
 * From the start of a slot until its job is due, hence at least six minutes after the run. That is beyond the
 * minutes that the API dispatches itself, so the job passes through tick, scanner, queue and executor.
 */
const DUE_AFTER_MS = 11 * MINUTE_MS;
/** A slot's job is checked this many slots later, at least four minutes after its due time. */
const CHECKED_AFTER_SLOTS = 3;
/** One more than are unchecked at a time, so that none is replaced before its check. */
const JOBS = CHECKED_AFTER_SLOTS + 1;

const jobIdOf = (slot: number): string => `canary-${slot % JOBS}`;
/** The lanes alternate, since each has a queue and executors of its own. */
const laneOf = (slot: number): CanaryLane => CANARY_LANES[slot % CANARY_LANES.length]!;
/** The call takes milliseconds. The time limit alone decides which lane it takes. */
const TIMEOUTS = { short: '10s', long: '1m' } as const;
const dueAtMsOf = (slot: number): number => slot * SLOT_MS + DUE_AFTER_MS;

/**
 * One run: creates a one-time job, and checks the job that was created three runs ago. It keeps no state, and
 * a repeated run creates the same job again. A job that is not delivered counts as late by its time so far,
 * which is minutes. A missing measurement would not do: the alarm ignores it beside the others.
 */
export async function runCanary(deps: CanaryDeps): Promise<{ registered: boolean; delivered: boolean }> {
  const slot = Math.floor(deps.clock.nowMs() / SLOT_MS);
  const delivered = await checkDelivery(slot - CHECKED_AFTER_SLOTS, deps);
  return { registered: await register(slot, deps), delivered };
}

async function register(slot: number, { api, clock, log, meter, targetUrl }: CanaryDeps): Promise<boolean> {
  const startedAtMs = clock.monotonicMs();
  const lane = laneOf(slot);
  const timeout = lane === 'long' ? TIMEOUTS.long : TIMEOUTS.short;
  const { status, body } = await api.putJob(jobIdOf(slot), {
    name: 'Measures the way from registration to delivery',
    schedule: { type: 'at', at: new Date(dueAtMsOf(slot)).toISOString() },
    target: { type: 'http', url: targetUrl, method: 'GET', timeout },
    ...(lane !== 'long' && { priority: lane }),
    retry: { maxAttempts: 1 },
  });
  if (status !== 200 && status !== 201) {
    log.error('canary could not be registered', body, { status });
    return false;
  }
  meter.record(Metric.canaryRegistrationMs, clock.monotonicMs() - startedAtMs);
  return true;
}

async function checkDelivery(slot: number, { api, clock, log, meter }: CanaryDeps): Promise<boolean> {
  const dueAtMs = dueAtMsOf(slot);
  const { status, body } = await api.getExecution(jobIdOf(slot), execIdOfOccurrence(dueAtMs));
  if (status === 404) {
    log.info('canary has no earlier run to ask about', { jobId: jobIdOf(slot) });
    return false;
  }
  const execution = body as ExecutionView;
  if (status !== 200 || execution.status !== 'succeeded' || execution.finishedAt === null) {
    log.error('canary was not delivered', body, {
      jobId: jobIdOf(slot),
      lane: laneOf(slot),
      status,
    });
    meter.record(Metric.canaryDeliveryMs, clock.nowMs() - dueAtMs);
    return false;
  }
  meter.record(Metric.canaryDeliveryMs, Date.parse(execution.finishedAt) - dueAtMs);
  return true;
}
