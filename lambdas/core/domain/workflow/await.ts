import type { Zone } from '../../schedule/zone';
import { parseDuration } from '../../schedule/duration';
import { endOf, instantOf, parseMoment, startOf, type Unit } from '../../templates/moment';
import { TemplateError } from '../../templates/template-error';
import { SECOND_MS } from '../../clock/clock';

/** Windows of business time: around the due time of the run, or just before. Weeks begin on Monday. */
export const AWAIT_WINDOWS = [
  'same-hour',
  'same-day',
  'same-week',
  'same-month',
  'previous-hour',
  'previous-day',
  'previous-week',
  'previous-month',
] as const;
export type AwaitWindow = (typeof AWAIT_WINDOWS)[number];

/** How many of the other job's executions in the window have to succeed: all, the last one, or any. */
export const AWAIT_NEEDS = ['all', 'last', 'any'] as const;
export type AwaitNeed = (typeof AWAIT_NEEDS)[number];

/** A task that waits for executions of another job. */
export interface Await {
  /** Its id, in the same project. */
  job: string;
  /** By its name, or from one instant to another, which does not belong to it. Both are templates. */
  window: AwaitWindow | { from: string; to: string };
  need: AwaitNeed;
  /** Whether an execution that did not succeed fails the task, or may yet be run again. */
  onFailure: 'wait' | 'fail';
  checkEvery: string;
  /** From when it is ready. */
  timeout: string;
}

/** `toMs` does not belong to it. */
export interface Window {
  fromMs: number;
  toMs: number;
}

/** The window with this name, around an instant or just before. */
export function namedWindow(name: AwaitWindow, aroundMs: number, zone: Zone): Window {
  const [which, unit] = name.split('-') as ['same' | 'previous', Unit];
  const around = { ms: aroundMs };
  const startMs = instantOf(startOf(around, unit, zone), zone);
  if (which === 'same') return { fromMs: startMs, toMs: instantOf(endOf(around, unit, zone), zone) + 1 };
  return { fromMs: instantOf(startOf({ ms: startMs - 1 }, unit, zone), zone), toMs: startMs };
}

/** The window between two rendered times. Throws `TemplateError`, also for an empty one. */
export function windowBetween({ from, to }: { from: string; to: string }, zone: Zone): Window {
  const [fromMs, toMs] = [from, to].map((text) => instantOf(parseMoment(text, zone), zone)) as [
    number,
    number,
  ];
  if (fromMs < toMs) return { fromMs, toMs };
  throw new TemplateError(`the window from ${from} to ${to} is empty`);
}

/** Rechecks lie on this grid, so that several series of one run become one. */
const GRID_MS = 10 * SECOND_MS;

/** When to ask again what has become of the other job's executions; at the end of the wait in any case. */
export const nextAwaitCheckMs = ({ checkEvery }: Await, nowMs: number, endMs: number): number =>
  Math.min(
    Math.ceil((nowMs + parseDuration(checkEvery)) / GRID_MS) * GRID_MS,
    Math.max(nowMs, endMs) + SECOND_MS,
  );
