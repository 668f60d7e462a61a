import { derive } from '../../../../../lambdas/core/domain/workflow/derive';
import { nextRunRecheckMs } from '../../../../../lambdas/core/domain/workflow/run-rechecks';
import { markOf, statusOfMark, timeOfMark } from '../../../../../lambdas/core/domain/workflow/marks';
import {
  endOfRun,
  madeReadyBy,
  mayBeSent,
  stopFor,
  toRelease,
} from '../../../../../lambdas/core/domain/workflow/progress';
import { runOf, taskExecId, taskRefOf } from '../../../../../lambdas/core/domain/workflow/task-id';
import { T0_MS } from '../../../../support/factories';
import { aGraph, aRunState, aTask } from '../../../../support/workflow-factories';

const AT = { nowMs: T0_MS + 1_000, jobGone: false };

test('a mark says what became of a task and when, to the second', () => {
  const run = aRunState();
  const mark = markOf('succeeded', T0_MS + 72_003_500, run);
  expect(mark).toBe('s1jk3');
  expect(statusOfMark(mark)).toBe('succeeded');
  expect(timeOfMark(mark, run)).toBe(T0_MS + 72_003_000);
  expect(markOf('failed', T0_MS - 5_000, run)).toBe('f0');
});

test('the id of a task names its run and round', () => {
  const run = '20261201T083000.000Z-abc';
  expect(taskExecId({ run, task: 'load', round: 1 })).toBe(`${run}/load`);
  expect(taskRefOf(`${run}/load~12`)).toEqual({ run, task: 'load', round: 12 });
  expect(taskRefOf(`${run}/load~1`)).toBeUndefined();
  expect(runOf(`${run}/load~2`)).toBe(run);
  expect(runOf(run)).toBe(run);
});

test('exactly the last mark that a task needs makes it ready', () => {
  const graph = aGraph({ a: aTask(), b: aTask(), c: aTask({ dependsOn: ['a', 'b'] }) });
  expect(madeReadyBy(graph, aRunState({ marks: { 0: 's1' } }), ['0'])).toEqual([]);
  const both = aRunState({ marks: { 0: 's1', 1: 's1' } });
  expect(madeReadyBy(graph, both, ['0'])).toEqual([2]);
});

test('a stop names what may have been sent, and a stronger reason takes its place', () => {
  const graph = aGraph({ a: aTask(), b: aTask(), c: aTask({ dependsOn: ['a'] }) }, { onTaskFailure: 'stop' });
  const failed = aRunState({ marks: { 0: 'f1' } });
  const stop = stopFor({ row: {}, run: failed, graph }, derive(graph, failed), AT);
  expect(stop).toEqual({ why: 'task-failed', atMs: AT.nowMs, open: '1' });
  const stopped = { ...failed, stop: stop! };
  const derivation = derive(graph, stopped);
  expect(stopFor({ row: {}, run: stopped, graph }, derivation, AT)).toBeUndefined();
  const row = { cancelRequested: { reason: 'cancelled-by-user' as const, atMs: 1 } };
  expect(stopFor({ row, run: stopped, graph }, derivation, AT)).toMatchObject({
    why: 'cancelled-by-user',
    open: '1',
  });
  expect(stopFor({ row: {}, run: stopped, graph }, derivation, { ...AT, jobGone: true })?.why).toBe(
    'deleted',
  );
});

test('a run is stopped at the end of its time, and forced ten minutes later', () => {
  const graph = aGraph({ a: aTask(), z: aTask({ finally: 'always' }) });
  const run = aRunState();
  const late = { nowMs: run.endsAtMs + 1, jobGone: false };
  const stop = stopFor({ row: {}, run, graph }, derive(graph, run), late)!;
  expect(stop).toEqual({ why: 'timed-out', atMs: late.nowMs, open: '0' });
  const stopped = aRunState({ stop, marks: { 0: 'c1' } });
  const later = { nowMs: run.endsAtMs + 600_001, jobGone: false };
  expect(stopFor({ row: {}, run: stopped, graph }, derive(graph, stopped), late)).toBeUndefined();
  expect(stopFor({ row: {}, run: stopped, graph }, derive(graph, stopped), later)).toMatchObject({
    why: 'timed-out',
    force: true,
    open: '1',
  });
});

test('a run whose job is gone is stopped with its finally tasks, however it was stopped before', () => {
  const graph = aGraph({ a: aTask(), z: aTask({ finally: 'always' }) });
  const gone = { ...AT, jobGone: true };
  const whys = ['task-failed', 'timed-out', 'cancelled-by-user', 'deleted'] as const;
  for (const why of [undefined, ...whys]) {
    const stop = why && { why, atMs: AT.nowMs - 1, open: '0' };
    const run = aRunState({ ...(stop && { stop }), marks: { 0: 'c1' } });
    const forced = stopFor({ row: {}, run, graph }, derive(graph, run), gone)!;
    expect(forced).toMatchObject({ why: 'deleted', force: true, open: '1' });
    const stopped = { ...run, stop: forced };
    expect(stopFor({ row: {}, run: stopped, graph }, derive(graph, stopped), gone)).toBeUndefined();
  }
});

test('a stop after all other tasks leaves finally tasks by the outcome that they have seen', () => {
  const graph = aGraph({ a: aTask(), z1: aTask({ finally: 'failed' }), z2: aTask({ finally: 'succeeded' }) });
  const run = aRunState({ marks: { 0: 's1' } });
  const late = { nowMs: run.endsAtMs + 1, jobGone: false };
  const stop = stopFor({ row: {}, run, graph }, derive(graph, run), late)!;
  expect(stop).toMatchObject({ seen: 'succeeded', open: '2' });
  expect(derive(graph, { ...run, stop }).states).toEqual(['succeeded', 'excluded', 'ready']);
});

test('with a bound, only released tasks may have been sent, the most urgent first', () => {
  const graph = aGraph({ a: aTask(), b: aTask({ priority: 'highest' }), c: aTask() }, { maxParallel: 2 });
  const run = aRunState({ go: {} });
  expect(toRelease({ run, graph }, derive(graph, run))).toEqual([1, 0]);
  const released = aRunState({ go: { 0: '0', 1: '0' } });
  expect(toRelease({ run: released, graph }, derive(graph, released))).toEqual([]);
  expect(mayBeSent({ run: released, graph }, derive(graph, released))).toEqual([0, 1]);
  const freed = aRunState({ go: { 0: '0', 1: '0' }, marks: { 1: 's1' } });
  expect(toRelease({ run: freed, graph }, derive(graph, freed))).toEqual([2]);
});

test('a run fails by the tasks whose failure counts', () => {
  const graph = aGraph({ a: aTask({ allowFailure: true }), b: aTask(), c: aTask() });
  const of = (marks: Record<string, string>) => {
    const run = aRunState({ marks });
    return endOfRun({ run, graph }, derive(graph, run));
  };
  expect(of({ 0: 'f1', 1: 's1', 2: 's1' })).toEqual({ status: 'succeeded', failedTasks: [] });
  expect(of({ 0: 's1', 1: 'f1', 2: 'c1' })).toEqual({
    status: 'failed',
    reason: 'task-failed',
    failedTasks: ['b', 'c'],
  });
});

test('rechecks of a run are soon while it works, ever rarer while it waits, and fall together', () => {
  const next = (waitedMs: number, isWorking: boolean, nowMs = T0_MS) =>
    nextRunRecheckMs({
      nowMs,
      lastMoveMs: nowMs - waitedMs,
      endsAtMs: nowMs + 86_400_000,
      dueMs: [],
      isWorking,
      leastMs: 20_000,
    }) - nowMs;
  expect(next(0, true)).toBe(20_000);
  expect(next(3_600_000, true)).toBe(20_000);
  expect(next(60_000, false)).toBe(20_000);
  expect(next(3_600_000, false)).toBeGreaterThanOrEqual(900_000);
  expect(next(3_600_000, false)).toBeLessThanOrEqual(1_125_000);
  expect(next(86_400_000 * 3, false)).toBeLessThanOrEqual(4_500_000);
  const instants = [0, 3_000, 9_000].map((ms) => T0_MS + ms + next(7_200_000, false, T0_MS + ms));
  expect(new Set(instants).size).toBe(1);
  const ending = {
    lastMoveMs: T0_MS - 7_200_000,
    endsAtMs: T0_MS + 60_000,
    dueMs: [],
    isWorking: false,
    leastMs: 20_000,
  };
  expect(nextRunRecheckMs({ nowMs: T0_MS, ...ending })).toBe(T0_MS + 61_000);
  expect(nextRunRecheckMs({ nowMs: T0_MS, ...ending, dueMs: [T0_MS + 30_000] })).toBe(T0_MS + 31_000);
});
