import { SECOND_MS } from '../../clock/clock';
import { dateText } from '../../schedule/instant';
import { parseTimeZone } from '../../schedule/time-zone';
import type { Zone } from '../../schedule/zone';
import type { Renderer } from '../../templates/render';
import { instantOf, parseMoment, wallTimeOf } from '../../templates/moment';
import { TemplateError } from '../../templates/template-error';
import { parseDuration } from '../../schedule/duration';
import { targetsOf } from '../job';
import { callLimitMs } from '../long-call';
import { DEFAULT_TASK_TIMEOUT, type Task } from './definition';
import type { Graph } from './graph';
import { readySinceMs } from './progress';
import type { RunState } from './run-state';
import type { RunTask } from './run-task';

/** A time of day. A day of 24 hours has none later. */
const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/**
 * The instant of a task's `notBefore`; 0 if it has none. `HH:mm` is on the local day on which the run is due.
 * Anything else is RFC 3339, or a local time or a day of the zone. Throws `TemplateError`.
 */
export function notBeforeMsOf(
  { run: { dueAtMs }, graph, index }: RunTask,
  renderer: Renderer,
  zone: Zone,
): number {
  const { notBefore } = graph.tasks[index]!.task;
  if (notBefore === undefined) return 0;
  const text = renderer.text(notBefore);
  const day = () => dateText(wallTimeOf({ ms: dueAtMs }, zone).wallSec);
  return instantOf(parseMoment(TIME_OF_DAY.test(text) ? `${day()}T${text}` : text, zone), zone);
}

/** What is wrong with a `notBefore`; undefined: nothing, or it is a template and has no time yet. */
export function faultOfTime(text: string): string | undefined {
  if (text.includes('{{') || TIME_OF_DAY.test(text)) return undefined;
  try {
    parseMoment(text, parseTimeZone('UTC'));
    return undefined;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return `must be a time of day such as "08:00", an instant, or a template: ${error.message}`;
  }
}

/** How long the calls of an attempt of a task take at most. */
export function callsLimitMs(task: Task): number {
  const timeout = task.timeout ?? DEFAULT_TASK_TIMEOUT;
  return Math.max(0, ...targetsOf(task).map((target) => callLimitMs(target, timeout)));
}

/**
 * When a ready task begins that an alarm of its run begins. By the row of the run alone, so all processes
 * agree. The delay may be up to a second longer, since marks have whole seconds.
 *
 * @param notBeforeMs of its `notBefore`; 0 if it has none
 */
export function beginOfTask(
  view: { run: RunState; graph: Graph },
  index: number,
  notBeforeMs: number,
): number {
  const { delay } = view.graph.tasks[index]!.task;
  if (delay === undefined) return notBeforeMs;
  return Math.max(notBeforeMs, readySinceMs(view, index) + SECOND_MS + parseDuration(delay));
}

/**
 * When a ready task with a `delay` or a `notBefore` starts. Marks have whole seconds, so the delay may be up
 * to a second longer. It is never shorter.
 *
 * @param notBeforeMs of its `notBefore`; 0 if it has none
 */
export function startOfTask(
  view: { run: RunState; graph: Graph },
  index: number,
  { nowMs, notBeforeMs }: { nowMs: number; notBeforeMs: number },
): number {
  const { delay } = view.graph.tasks[index]!.task;
  if (delay === undefined) return Math.max(nowMs, notBeforeMs);
  const readyAtMs = Math.min(nowMs, readySinceMs(view, index) + SECOND_MS);
  return Math.max(nowMs, notBeforeMs, readyAtMs + parseDuration(delay));
}
