import fc from 'fast-check';

import { axisOf, criticalPath, rowsOf } from '../../../console/draw/gantt';
import { allowedFor, branchesOf } from '../../../console/pages/run/allowed';
import { endedText } from '../../../console/parts/item-counts';

type Facts = Parameters<typeof rowsOf>[0][number];

const START_MS = Date.parse('2026-11-22T02:15:00Z');
const at = (minute: number): string => new Date(START_MS + minute * 60_000).toISOString();

const task = (taskId: string, from: number | null, to: number | null, more: Partial<Facts> = {}): Facts => ({
  taskId,
  status: to === null ? (from === null ? 'waiting' : 'running') : 'succeeded',
  reason: null,
  because: [],
  attempts: 1,
  dependsOn: [],
  startedAt: from === null ? null : at(from),
  finishedAt: to === null ? null : at(to),
  ...more,
});

describe('the critical path', () => {
  const path = (tasks: Facts[]) => [...criticalPath(tasks)].toSorted();

  test('goes back from what ended last, over what each task waited for longest', () => {
    const tasks = [
      task('extract', 0, 22),
      task('rates', 0, 2),
      task('check', 22, 31, { dependsOn: ['extract'] }),
      task('load', 31, 97, { dependsOn: ['check', 'rates'] }),
      task('users', 0, 40),
    ];
    expect(path(tasks)).toEqual(['check', 'extract', 'load']);
  });

  test('takes what is still at work as the last, and begins anew at the tasks of the end', () => {
    const tasks = [task('short', 0, 1), task('long', 0, 9), task('alarm', 9, null, { finally: 'always' })];
    expect(path(tasks)).toEqual(['alarm', 'long']);
    expect(path([task('open', 3, null), task('ended', 0, 50)])).toEqual(['open']);
  });

  test('goes through joins, switches and waits, which end without a begin of their own', () => {
    const tasks = [
      task('load', 0, 28),
      task('quick', 0, 3),
      task('all', null, 28, { kind: 'join', dependsOn: ['load', 'quick'] }),
      task('cool-down', null, 40, { kind: 'wait', dependsOn: ['all'] }),
      task('publish', 40, 41, { dependsOn: ['cool-down'] }),
    ];
    expect(path(tasks)).toEqual(['all', 'cool-down', 'load', 'publish']);
  });

  test('is empty while nothing has begun', () => expect(path([task('one', null, null)])).toEqual([]));
});

test('no target is at work on an approval, or while another job is awaited', () => {
  const queued = { status: 'queued' } as const;
  const rows = rowsOf(
    [
      task('approve', 0, null, { ...queued, kind: 'approval' }),
      task('await', 0, null, { ...queued, kind: 'await' }),
      task('call', 0, null, { ...queued, kind: 'call' }),
      task('approved', 0, 1, { kind: 'approval' }),
    ],
    START_MS,
  );
  expect(rows.map(({ status, waitsFor }) => [status, waitsFor])).toEqual([
    ['approval', 'a user'],
    ['queued', 'another job'],
    ['queued', undefined],
    ['succeeded', undefined],
  ]);
});

const minute = fc.option(fc.integer({ min: -2_000, max: 20_000 }), { nil: null });
const anyTask = fc
  .tuple(minute, minute, fc.constantFrom('waiting', 'running', 'succeeded', 'failed', 'blocked'))
  .map(([from, to, status]) => ({ from, to, status }) as const);
const anyTasks = fc.oneof(
  fc.array(anyTask, { maxLength: 40 }),
  fc.array(anyTask, { minLength: 400, maxLength: 500, size: 'max' }),
);

test('rows and axis hold for 0 to 500 tasks without begin or end, and with clocks that disagree', () => {
  fc.assert(
    fc.property(anyTasks, minute, fc.nat(20_000), fc.nat(600), (given, now, later, step) => {
      const tasks = given.map(({ from, to, status }, index) =>
        task(`t${index}`, from, to, { status, dependsOn: index > 0 ? [`t${index - 1}`] : [] }),
      );
      const rows = rowsOf(tasks, START_MS + (now ?? 1) * 60_000);
      const axis = axisOf(rows, START_MS);
      const wrong = rows.filter(({ fromMs, toMs }) => {
        if (fromMs === undefined || toMs === undefined) return fromMs !== toMs;
        const [a, b] = [axis.at(fromMs), axis.at(toMs)];
        return !(a >= 0 && a <= b && b <= 1);
      });
      expect(wrong).toEqual([]);
      expect(rows.map(({ taskId }) => taskId)).toEqual(tasks.map(({ taskId }) => taskId));
      const [early, late] = [later, later + step].map((at) => axis.at(START_MS + at * 60_000));
      expect(early).toBeLessThanOrEqual(late!);
      expect(axis.ticks.length).toBeLessThan(10);
    }),
  );
});

test('an axis has two ticks or more, however long the run was', () => {
  const startMs = Date.parse('2026-11-28T10:06:57.300Z');
  for (let sec = 2; sec < 30 * 86_400; sec = Math.ceil(sec * 1.07)) {
    const { ticks } = axisOf([{ fromMs: startMs, toMs: startMs + sec * 1_000 }], startMs);
    expect([sec, ticks.length >= (sec === 2 ? 1 : 2), ticks.length < 10]).toEqual([sec, true, true]);
  }
});

test('a run that went on days later keeps its bars wide', () => {
  const rows = rowsOf([task('before', 0, 10), task('after', 10_000, 10_010)], START_MS);
  const axis = axisOf(rows, START_MS);
  const width = (index: number) => axis.at(rows[index]!.toMs!) - axis.at(rows[index]!.fromMs!);
  expect([width(0) > 0.4, width(1) > 0.4]).toEqual([true, true]);
  expect(axis.folded).toHaveLength(1);
});

describe('what a user can do to a task', () => {
  type Facts = Parameters<typeof allowedFor>[0];
  const scopes =
    (...some: string[]) =>
    (scope: string): boolean =>
      some.includes(scope);
  const all = scopes('runs:operate', 'runs:approve');
  const allowed = (task: Facts['task'], more: Partial<Omit<Facts, 'task'>> = {}) =>
    allowedFor({ execution: { status: 'running' }, hasApproval: false, can: all, task, ...more });
  const approval = { kind: 'approval', status: 'queued' } as const;
  const failed = { kind: 'call', status: 'failed' } as const;

  test('an approval that waits is decided, or passed, only with runs:approve', () => {
    expect(allowed(approval)).toMatchObject({ decide: true, skip: true });
    expect(allowed(approval, { can: scopes('runs:operate') })).toMatchObject({ decide: false, skip: false });
    expect(allowed({ ...approval, status: 'waiting' }).decide).toBe(false);
  });

  test('an approver without runs:operate decides, and does nothing else', () => {
    const can = scopes('runs:approve');
    expect(allowed(approval, { can })).toEqual({ decide: true, cancel: false, skip: false, retry: [] });
    expect(allowed(failed, { can }).retry).toEqual([]);
  });

  test('what has begun is not skipped, and what has not begun is not retried', () => {
    expect(allowed({ kind: 'call', status: 'running' })).toMatchObject({ cancel: true, skip: false });
    expect(allowed({ kind: 'call', status: 'waiting' })).toMatchObject({
      cancel: false,
      skip: true,
      retry: [],
    });
  });

  test('the modes of a retry follow from the end of the task and from approvals beside it', () => {
    expect(allowed(failed).retry).toEqual(['failed', 'from', 'only']);
    expect(allowed({ ...failed, status: 'succeeded' }).retry).toEqual(['from', 'only']);
    const can = scopes('runs:operate');
    expect(allowed(failed, { can, hasApproval: true }).retry).toEqual(['failed']);
    expect(allowed(failed, { execution: { status: 'failed' } }).retry).toHaveLength(3);
  });

  test('a switch that is skipped takes one of its branches', () => {
    const cases = [
      { branch: 'small', lt: 10 },
      { branch: 'large', lt: 99 },
      { branch: 'small', equals: 0 },
    ];
    expect(branchesOf({ switch: { on: '{{ params.n }}', cases, default: 'none' } })).toEqual([
      'small',
      'large',
      'none',
    ]);
    expect(branchesOf({ job: 'other' })).toEqual([]);
  });
});

test('a task that waits for an approval has a status of its own, and a fan-out counts its items', () => {
  const waits = task('release', null, null, { kind: 'approval', status: 'queued' });
  expect(rowsOf([waits], START_MS)[0]).toMatchObject({ status: 'approval', isOpen: false });
  const counts = { count: 1_000, succeeded: 35, failed: 2, cancelled: 0, running: 5, waiting: 958 };
  expect(endedText(counts)).toBe('37 / 1,000');
});
