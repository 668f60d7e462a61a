import { randomUUID } from 'node:crypto';

import { type Clock, SECOND_MS } from '../machine/clock';
import type { ScheduleSpec } from '../template/stack';
import { parseScheduleExpression } from './schedule-expression';

/** Longest timer. A change of the wall clock is noticed after this time at the latest. */
const MAX_WAIT_MS = 10 * SECOND_MS;

interface SchedulesDeps {
  clock: Clock;
  /** `event` is JSON. */
  invoke(schedule: ScheduleSpec, event: string): void;
}

/** Running schedules, which can be changed. */
export interface Schedules {
  get(name: string): ScheduleSpec | undefined;
  /** Takes effect the next time the schedule fires. */
  replace(name: string, spec: ScheduleSpec): void;
  stop(): void;
}

/**
 * Fires the schedules of the template. A rate fires at once and then at each multiple of its period, a cron
 * at its minutes. Times that passed while the machine slept or the schedule was disabled are skipped. Throws
 * a `LocalRunError` for an unsupported expression.
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
      Math.min(Math.max(leftMs, 0), MAX_WAIT_MS),
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

/** The schedule's input. EventBridge Scheduler's context attributes in it are replaced by their values. */
function inputOf({ input, arn }: ScheduleSpec, dueAtMs: number): string {
  const values: Record<string, string> = {
    'aws.scheduler.attempt-number': '1',
    'aws.scheduler.execution-id': randomUUID(),
    'aws.scheduler.schedule-arn': arn,
    'aws.scheduler.scheduled-time': new Date(dueAtMs).toISOString().replace(/\.\d+/, ''),
  };
  return input.replaceAll(/<([a-z.-]+)>/g, (whole, name: string) => values[name] ?? whole);
}
