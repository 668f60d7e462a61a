import fc from 'fast-check';

import { axisOf, criticalPath, rowsOf } from '../../../console/draw/gantt';
import { placeTasks } from '../../../console/draw/graph-layout';
import { boxesOfWorkflow, graphProblem } from '../../../console/editor/workflow-boxes';

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

  test('is empty while nothing has begun', () => expect(path([task('one', null, null)])).toEqual([]));
});

const minute = fc.option(fc.integer({ min: 0, max: 20_000 }), { nil: null });
const anyTask = fc
  .tuple(minute, minute, fc.constantFrom('waiting', 'running', 'succeeded', 'failed', 'blocked'))
  .map(([from, to, status]) => ({ from, to, status }) as const);

test('rows and axis hold for tasks without begin or end, with clocks that disagree, and for none', () => {
  fc.assert(
    fc.property(fc.array(anyTask, { maxLength: 40 }), (given) => {
      const tasks = given.map(({ from, to, status }, index) =>
        task(`t${index}`, from, to, { status, dependsOn: index > 0 ? [`t${index - 1}`] : [] }),
      );
      const rows = rowsOf(tasks, START_MS + 60_000);
      const axis = axisOf(rows, START_MS);
      for (const { fromMs, toMs } of rows) {
        expect(fromMs === undefined).toBe(toMs === undefined);
        if (fromMs === undefined || toMs === undefined) continue;
        const [a, b] = [axis.at(fromMs), axis.at(toMs)];
        expect([a >= 0, a <= b, b <= 1]).toEqual([true, true, true]);
      }
      expect(axis.ticks.length).toBeLessThan(10);
    }),
  );
});

test('a run that went on days later keeps its bars wide', () => {
  const rows = rowsOf([task('before', 0, 10), task('after', 10_000, 10_010)], START_MS);
  const axis = axisOf(rows, START_MS);
  const width = (index: number) => axis.at(rows[index]!.toMs!) - axis.at(rows[index]!.fromMs!);
  expect([width(0) > 0.4, width(1) > 0.4]).toEqual([true, true]);
  expect(axis.folded).toHaveLength(1);
});

describe('a graph', () => {
  const tasksInRows = (length: number) =>
    Array.from({ length }, (_, index) => ({
      taskId: `t${index}`,
      dependsOn: index < 10 ? [] : [{ task: `t${index - 10}`, if: 'succeeded' }],
      isFinally: false,
    }));

  test.each([30, 500])(
    'of %d tasks has each task right of what it depends on, and none on another',
    (length) => {
      const { places, edges, width, height } = placeTasks(tasksInRows(length));
      for (const { from, to } of edges) expect(places.get(from)!.x).toBeLessThan(places.get(to)!.x);
      const all = [...places.values()];
      expect(new Set(all.map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`)).size).toBe(length);
      expect(all.every(({ x, y }) => x < width && y < height)).toBe(true);
    },
  );

  test('has the tasks of the end at the right, and leaves out what does not exist', () => {
    const { places, edges, finallyX } = placeTasks([
      { taskId: 'a', dependsOn: [{ task: 'gone', if: 'succeeded' }], isFinally: false },
      { taskId: 'alarm', dependsOn: [], isFinally: true },
    ]);
    expect(edges).toEqual([]);
    expect(places.get('a')!.x).toBeLessThan(finallyX!);
    expect(places.get('alarm')!.x).toBeGreaterThan(finallyX!);
  });
});

describe('a workflow while it is typed', () => {
  const target = { type: 'http' as const, url: 'https://etl.example.com/x' };

  test('says what keeps it from being drawn', () => {
    expect(graphProblem({ tasks: { a: { dependsOn: ['b'] } } })).toContain(
      'a depends on b, which does not exist',
    );
    const cycle = { a: { dependsOn: ['c'] }, b: { dependsOn: ['a'] }, c: { dependsOn: [{ task: 'b' }] } };
    expect(graphProblem({ tasks: cycle })).toContain('a → c → b → a');
    expect(graphProblem({ tasks: { a: { dependsOn: 'b' } } })).toContain('a.dependsOn is no list');
    expect(graphProblem({})).toContain('no tasks');
    expect(graphProblem({ tasks: { a: {}, b: { dependsOn: ['a'] } } })).toBeUndefined();
  });

  test('is drawn with what each task calls', () => {
    const boxes = boxesOfWorkflow({
      tasks: {
        a: { target },
        b: { dependsOn: [{ task: 'a', if: 'failed' }] },
        off: { target, enabled: false },
      },
    });
    expect(boxes.map(({ text, status, dependsOn }) => [text, status, dependsOn])).toEqual([
      ['etl.example.com', undefined, []],
      ['joins', undefined, [{ task: 'a', if: 'failed' }]],
      ['etl.example.com', 'skipped', []],
    ]);
  });
});
