import { randomUUID } from 'node:crypto';

import type { Clock } from '../machine/clock';
import type { ScheduleSpec } from '../template/stack';
import { parseScheduleExpression } from './schedule-expression';

/** A step of the wall clock is noticed at the latest after this. */
const LONGEST_WAIT_MS = 10_000;

export interface SchedulesDeps {
  clock: Clock;
  /** Takes JSON text. */
  invoke(schedule: ScheduleSpec, event: string): void;
}

/** The schedules that tick, and can be changed while they do. */
export interface Schedules {
  get(name: string): ScheduleSpec | undefined;
  /** Takes effect at the next time that it would fire. */
  replace(name: string, spec: ScheduleSpec): void;
  stop(): void;
}

/**
 * Fires the schedules of the template: a rate at once and then at every multiple of its period, a cron at its minutes.
 * Times that went by while the machine slept, or while a schedule was disabled, are not made up for. Throws for an
 * expression that is not known.
 */
export function startSchedules(specs: readonly ScheduleSpec[], { clock, invoke }: SchedulesDeps): Schedules {
  const startMs = clock.nowMs();
  const timers = new Map<ScheduleSpec, NodeJS.Timeout>();
  const live = new Map(specs.map((spec) => [spec.name, spec]));
  const nextFires = specs.map((spec) => parseScheduleExpression(spec.expression, spec.timezone));

  const wait = (spec: ScheduleSpec, index: number, dueAtMs: number | undefined): void => {
    if (dueAtMs === undefined) return;
    const leftMs = dueAtMs - clock.nowMs();
    const timer = setTimeout(
      () => {
        const nowMs = clock.nowMs();
        if (nowMs < dueAtMs) return wait(spec, index, dueAtMs);
        const current = live.get(spec.name) ?? spec;
        if (current.enabled) invoke(current, inputOf(current, dueAtMs));
        wait(spec, index, nextFires[index]?.(nowMs, startMs));
      },
      Math.min(Math.max(leftMs, 0), LONGEST_WAIT_MS),
    );
    timers.set(spec, timer);
  };
  for (const [index, spec] of specs.entries()) wait(spec, index, nextFires[index]?.(startMs - 1, startMs));

  return {
    get: (name) => live.get(name),
    replace: (name, spec) => void live.set(name, spec),
    stop: () => timers.forEach((timer) => clearTimeout(timer)),
  };
}

/** The input of the template, with EventBridge Scheduler's context attributes put in. */
function inputOf({ input, arn }: ScheduleSpec, dueAtMs: number): string {
  const values: Record<string, string> = {
    'aws.scheduler.attempt-number': '1',
    'aws.scheduler.execution-id': randomUUID(),
    'aws.scheduler.schedule-arn': arn,
    'aws.scheduler.scheduled-time': new Date(dueAtMs).toISOString().replace(/\.\d+/, ''),
  };
  return input.replaceAll(/<([a-z.-]+)>/g, (whole, name: string) => values[name] ?? whole);
}
