import fc from 'fast-check';

import { placeTasks } from '../../../console/draw/graph-layout';
import { boxesOfWorkflow, drawable } from '../../../console/editor/workflow-boxes';

test('a graph of any tasks has a place for each, none on another, and edges to the right', () => {
  const some = fc.array(fc.tuple(fc.array(fc.nat(), { maxLength: 4 }), fc.boolean()), { maxLength: 40 });
  fc.assert(
    fc.property(some, (given) => {
      const tasks = given.map(([before, isFinally], index) => ({
        taskId: `t${index}`,
        dependsOn: index === 0 ? [] : before.map((one) => ({ task: `t${one % index}`, if: 'succeeded' })),
        isFinally,
      }));
      const { places, edges, width, height } = placeTasks(tasks);
      const all = [...places.values()];
      expect([places.size, new Set(all.map(({ x, y }) => `${x} ${y}`)).size]).toEqual([
        tasks.length,
        tasks.length,
      ]);
      expect(all.filter(({ x, y }) => !(x >= 0 && x <= width && y >= 0 && y <= height))).toEqual([]);
      expect(edges.filter(({ from, to }) => places.get(from)!.x >= places.get(to)!.x)).toEqual([]);
    }),
  );
});

test('a graph has no row that is empty from side to side', () => {
  const after = (task: string) => [{ task, if: 'succeeded' }];
  const some = fc.array(fc.array(fc.nat(), { maxLength: 3 }), { maxLength: 60 });
  fc.assert(
    fc.property(some, (given) => {
      const shaped = given.map((before, index) => ({
        taskId: `t${index}`,
        dependsOn: index < 5 ? [] : before.flatMap((one) => after(`t${one % index}`)),
        isFinally: false,
      }));
      const { places, edges } = placeTasks(shaped);
      const heights = [...places.values(), ...edges.flatMap(({ through }) => through)].map(({ y }) => y);
      heights.sort((one, other) => one - other);
      expect(heights.filter((y, index) => index > 0 && y - heights[index - 1]! > 60)).toEqual([]);
    }),
  );
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

  test('has the tasks of the end at the right, and leaves out edges that cannot be', () => {
    const dependsOn = ['gone', 'alarm'].map((task) => ({ task, if: 'succeeded' }));
    const { places, edges, finallyX } = placeTasks([
      { taskId: 'a', dependsOn, isFinally: false },
      { taskId: 'alarm', dependsOn: [], isFinally: true },
    ]);
    expect(edges).toEqual([]);
    expect(places.get('a')!.x).toBeLessThan(finallyX!);
    expect(places.get('alarm')!.x).toBeGreaterThan(finallyX!);
  });
});

describe('a workflow while it is typed', () => {
  const target = { type: 'http' as const, url: 'https://etl.example.com/x' };

  test('is drawn whatever is wrong with its dependencies, if there are tasks to draw', () => {
    const cycle = { tasks: { a: { dependsOn: ['b'] }, b: { dependsOn: ['a', 'gone'] }, c: {} } };
    expect(drawable(cycle)).toBe(cycle);
    const { places } = placeTasks(boxesOfWorkflow(drawable(cycle)!));
    expect([...places.keys()]).toEqual(['a', 'b', 'c']);
    for (const none of [
      null,
      7,
      {},
      { tasks: [] },
      { tasks: { a: null } },
      { tasks: { a: { dependsOn: 'b' } } },
      { tasks: { a: { dependsOn: [null] } } },
      { tasks: { a: { targets: {} } } },
      { tasks: { a: { target: 'x' } } },
    ])
      expect(drawable(none)).toBeUndefined();
  });

  test('says what a task without a target does', () => {
    const boxes = boxesOfWorkflow({
      tasks: {
        ask: { approval: {} },
        other: { await: { job: 'ingest', window: 'same-day' } },
        child: { job: 'load' },
        later: { delay: '1h' },
      },
    });
    expect(boxes.map(({ text }) => text)).toEqual([
      'asks for approval',
      'waits for ingest',
      'starts load',
      'waits',
    ]);
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
