import type { TaskState } from '../../client/browser';
import { folding, LONGEST_PAUSE_MS } from './timeline';

/** A task as the Gantt chart and the grid of runs show it. */
export interface TaskRow {
  taskId: string;
  title: string;
  /** `approval`: it waits until a user approves or rejects it. */
  status: TaskState['status'] | 'approval';
  reason: string | null;
  /** For whom or what it waits, though it has begun: no target is at work. */
  waitsFor: 'a user' | 'another job' | undefined;
  because: readonly string[];
  attempts: number;
  /** When it began; undefined if it has not. */
  fromMs: number | undefined;
  /** When it ended, or now; undefined if it has not begun. At least `fromMs`. */
  toMs: number | undefined;
  isOpen: boolean;
  isCritical: boolean;
}

type Facts = Pick<
  TaskState,
  'taskId' | 'name' | 'status' | 'reason' | 'because' | 'attempts' | 'startedAt' | 'finishedAt'
> &
  Pick<TaskState, 'dependsOn' | 'finally'> &
  Partial<Pick<TaskState, 'kind'>>;

const AT_WORK: readonly string[] = ['queued', 'running', 'retrying'];

/** The rows of a run, in the order of the API: each task after all that it depends on. */
export function rowsOf(tasks: readonly Facts[], nowMs: number): TaskRow[] {
  const critical = criticalPath(tasks);
  return tasks.map((task): TaskRow => {
    const { taskId, name, status, reason, because, attempts, startedAt, finishedAt } = task;
    const fromMs = startedAt === null ? undefined : Date.parse(startedAt);
    const isOpen = fromMs !== undefined && finishedAt === null && AT_WORK.includes(status);
    const endMs = finishedAt === null ? (isOpen ? nowMs : fromMs) : Date.parse(finishedAt);
    return {
      taskId,
      title: name ?? taskId,
      status: waitsForOf(task) === 'a user' ? 'approval' : status,
      reason,
      waitsFor: waitsForOf(task),
      because,
      attempts,
      fromMs,
      // Clocks of two machines may differ: nothing ends before it began.
      toMs: fromMs === undefined ? undefined : Math.max(fromMs, endMs ?? fromMs),
      isOpen,
      isCritical: critical.has(taskId),
    };
  });
}

/** An approval waits for a user, and a task with `await` for executions of another job. */
export function waitsForOf({ kind, status }: Pick<Facts, 'kind' | 'status'>): TaskRow['waitsFor'] {
  if (!AT_WORK.includes(status)) return undefined;
  return kind === 'approval' ? 'a user' : kind === 'await' ? 'another job' : undefined;
}

/**
 * The tasks that made a run as long as it was. It begins at the task that ended last, and goes back to the
 * dependency that ended last, and so on. What is still at work counts as the last.
 */
export function criticalPath(tasks: readonly Facts[]): ReadonlySet<string> {
  const byId = new Map(tasks.map((task) => [task.taskId, task]));
  // A join, a switch and a wait may end without a begin of their own.
  const endOf = ({ startedAt, finishedAt }: Facts): number =>
    finishedAt !== null ? Date.parse(finishedAt) : startedAt === null ? -Infinity : Infinity;
  const latest = (some: readonly Facts[]): Facts | undefined =>
    some.reduce<Facts | undefined>(
      (best, one) => (endOf(one) > (best ? endOf(best) : -Infinity) ? one : best),
      undefined,
    );
  const path = new Set<string>();
  let at = latest(tasks);
  while (at && !path.has(at.taskId)) {
    path.add(at.taskId);
    const before: Facts[] = at.finally
      ? tasks.filter((one) => one.finally === undefined)
      : at.dependsOn.flatMap((id) => byId.get(id) ?? []);
    at = latest(before);
  }
  return path;
}

/** The axis of a chart: positions from 0 to 1. */
export interface Axis {
  at(ms: number): number;
  ticks: readonly { ms: number; at: number }[];
  /** Pauses that are drawn shorter than they were. */
  folded: readonly { fromMs: number; toMs: number }[];
}

/** Each at most 2.5 times the one before, so that an axis has two ticks or more. */
const STEPS_SEC = [
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200],
  ...[86_400, 172_800, 345_600, 604_800],
];
const MOST_TICKS = 5;
/** A pause is drawn as long as this part of what was at work, if it is longer. */
const LONGEST_PART = 0.08;
/** Least distance of two ticks. */
const APART = 0.11;

/**
 * The time of a run on one axis. While nothing was at work for long, the axis is folded, so that a run that
 * went on days later keeps its bars wide.
 */
export function axisOf(rows: readonly Pick<TaskRow, 'fromMs' | 'toMs'>[], startMs: number): Axis {
  const spans = rows.flatMap(({ fromMs, toMs }) =>
    fromMs === undefined || toMs === undefined ? [] : [{ fromMs, toMs }],
  );
  const pauses = pausesOf(spans, startMs);
  const busyMs = spans.reduce((latest, { toMs }) => Math.max(latest, toMs), startMs) - startMs;
  const pausedMs = pauses.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const longestMs = Math.max(LONGEST_PAUSE_MS, LONGEST_PART * (busyMs - pausedMs));
  const fold = folding(pauses, longestMs);
  const endMs = startMs + Math.max(1, busyMs);
  const length = Math.max(1, fold(endMs) - fold(startMs));
  const at = (ms: number): number => Math.min(1, Math.max(0, (fold(ms) - fold(startMs)) / length));
  return {
    at,
    ticks: ticksOf(startMs, endMs, length, at),
    folded: pauses.filter(({ fromMs, toMs }) => toMs - fromMs > longestMs),
  };
}

/** Times within a run at which nothing was at work. */
function pausesOf(
  spans: readonly { fromMs: number; toMs: number }[],
  startMs: number,
): { fromMs: number; toMs: number }[] {
  const pauses: { fromMs: number; toMs: number }[] = [];
  let endMs = startMs;
  for (const { fromMs, toMs } of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (fromMs > endMs) pauses.push({ fromMs: endMs, toMs: fromMs });
    endMs = Math.max(endMs, toMs);
  }
  return pauses;
}

function ticksOf(
  startMs: number,
  endMs: number,
  length: number,
  at: (ms: number) => number,
): { ms: number; at: number }[] {
  const stepMs = 1_000 * (STEPS_SEC.find((sec) => length / (sec * 1_000) <= MOST_TICKS) ?? STEPS_SEC.at(-1)!);
  const ticks: { ms: number; at: number }[] = [];
  // A folded week has thousands of steps; those that are drawn are few.
  const jumpMs = stepMs * Math.max(1, Math.ceil((endMs - startMs) / stepMs / 2_000));
  for (let ms = Math.ceil(startMs / stepMs) * stepMs; ms <= endMs; ms += jumpMs)
    if (at(ms) - (ticks.at(-1)?.at ?? -1) >= APART) ticks.push({ ms, at: at(ms) });
  return ticks;
}
