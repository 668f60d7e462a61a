import type { Job } from '../../lambdas/core/domain/job';
import { T0_MS } from './factories';
import type { PipelineWorld } from './pipeline-world';

const MINUTE_MS = 60_000;

/** Ticks and sweeps stop, until `untilMs`. What a job plans then has no entry, but for its next one. */
export async function outageUntil(world: PipelineWorld, untilMs: number): Promise<void> {
  world.on.tick = false;
  world.on.sweep = false;
  await world.run(untilMs - world.clock.nowMs());
}

/** Ticks and sweeps come back. */
export async function recover(world: PipelineWorld, forMs = 10 * MINUTE_MS): Promise<void> {
  world.on.tick = true;
  world.on.sweep = true;
  await world.tick();
  await world.run(forMs);
}

/** What is on record for each time that lies a multiple of `stepMs` after T0, by that number. */
export function recordedSteps(
  world: PipelineWorld,
  job: Pick<Job, 'userId' | 'jobId'>,
  stepMs = MINUTE_MS,
): Map<number, string | undefined> {
  const steps = new Map<number, string | undefined>();
  for (const { dueAtMs, skipped, status, reason } of world.executions(job))
    for (let atMs = dueAtMs; atMs <= Math.max(dueAtMs, skipped?.toMs ?? 0); atMs += stepMs)
      steps.set((atMs - T0_MS) / stepMs, reason ?? status);
  return steps;
}

/** The steps from 1 through `last` that have no record. */
export function missingSteps(steps: ReadonlyMap<number, unknown>, last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1).filter((step) => !steps.has(step));
}

/** Sends a request to a process whose clock is off by `offsetMs`. */
export async function byClock(
  world: PipelineWorld,
  offsetMs: number,
  ...request: Parameters<PipelineWorld['api']>
): Promise<void> {
  world.clock.stepWall(offsetMs);
  expect((await world.api(...request)).status).toBeLessThan(300);
  world.clock.stepWall(-offsetMs);
}

type Day = string | { from: string; to: string };

/** Stores a calendar of some days, and replans its jobs. */
export async function putDays(
  world: PipelineWorld,
  dates: readonly Day[],
  calendarId = 'days',
): Promise<void> {
  const answer = await world.clock.settle(world.api('putCalendar', { calendarId }, { dates }));
  expect(answer.status).toBeLessThan(300);
}
