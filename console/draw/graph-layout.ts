import * as dagre from '@dagrejs/dagre';

/** A task of a graph, and what it depends on. */
export interface GraphTask {
  taskId: string;
  dependsOn: readonly { task: string; if: string }[];
  /** It runs after all others. */
  isFinally: boolean;
}

/** A task as a box of a graph shows it. */
export interface GraphBox extends GraphTask {
  title: string;
  /** A line below: how long it took, or what it calls. */
  text: string;
  /** Undefined: a definition has no status. */
  status: string | undefined;
}

export interface GraphEdge {
  from: string;
  to: string;
  /** `succeeded`, `failed` or `done`. */
  when: string;
}

/** Where each task is drawn: the middle of its box, in pixels. */
export interface PlacedGraph {
  places: ReadonlyMap<string, { x: number; y: number }>;
  edges: readonly GraphEdge[];
  width: number;
  height: number;
  /** Left of the tasks that run at the end; undefined without such tasks. */
  finallyX: number | undefined;
}

export const BOX_WIDTH = 168;
export const BOX_HEIGHT = 44;
const GAP_X = 44;
const GAP_Y = 14;
const MARGIN = 6;
/** The library takes a second for 500 tasks. Above this many, layers alone are drawn. */
const MOST_BY_LIBRARY = 80;

type Places = Map<string, { x: number; y: number }>;

/** Places the tasks from the left to the right: each right of all that it depends on. */
export function placeTasks(tasks: readonly GraphTask[]): PlacedGraph {
  const main = tasks.filter(({ isFinally }) => !isFinally);
  const last = tasks.filter(({ isFinally }) => isFinally);
  const known = new Set(tasks.map(({ taskId }) => taskId));
  const edges = main.flatMap(({ taskId, dependsOn }) =>
    dependsOn
      .filter(({ task }) => known.has(task))
      .map(({ task, if: when }) => ({ from: task, to: taskId, when })),
  );
  const places = main.length > MOST_BY_LIBRARY ? inLayers(main, edges) : byLibrary(main, edges);
  const sizeOf = (axis: 'x' | 'y', half: number) =>
    Math.max(0, ...[...places.values()].map((place) => place[axis] + half)) + MARGIN;
  const mainWidth = main.length === 0 ? 0 : sizeOf('x', BOX_WIDTH / 2);
  const finallyX = last.length > 0 ? mainWidth + GAP_X / 2 : undefined;
  for (const [index, { taskId }] of last.entries())
    places.set(taskId, {
      x: mainWidth + GAP_X + BOX_WIDTH / 2,
      y: MARGIN + BOX_HEIGHT / 2 + index * (BOX_HEIGHT + GAP_Y),
    });
  return {
    places,
    edges,
    width: sizeOf('x', BOX_WIDTH / 2),
    height: sizeOf('y', BOX_HEIGHT / 2),
    finallyX,
  };
}

function byLibrary(tasks: readonly GraphTask[], edges: readonly GraphEdge[]): Places {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: GAP_Y, ranksep: GAP_X, marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { taskId } of tasks) graph.setNode(taskId, { width: BOX_WIDTH, height: BOX_HEIGHT });
  for (const { from, to } of edges) graph.setEdge(from, to);
  dagre.layout(graph);
  return new Map(
    tasks.map(({ taskId }) => {
      const { x, y } = graph.node(taskId) as { x: number; y: number };
      return [taskId, { x, y }];
    }),
  );
}

/** One column for each length of the longest way there. Within a column: by the middle of what is before. */
function inLayers(tasks: readonly GraphTask[], edges: readonly GraphEdge[]): Places {
  const before = new Map<string, string[]>(tasks.map(({ taskId }) => [taskId, []]));
  for (const { from, to } of edges) before.get(to)!.push(from);
  const depths = new Map<string, number>();
  // The API lists each task after all that it depends on. One that is not yet known counts as the first.
  for (const { taskId } of tasks)
    depths.set(taskId, 1 + Math.max(-1, ...before.get(taskId)!.map((one) => depths.get(one) ?? 0)));
  const layers: string[][] = [];
  for (const { taskId } of tasks) (layers[depths.get(taskId)!] ??= []).push(taskId);
  const places: Places = new Map();
  for (const [depth, layer] of layers.entries()) {
    const middle = new Map(
      layer.map((taskId) => {
        const ys = before.get(taskId)!.map((one) => places.get(one)?.y ?? 0);
        return [taskId, ys.length === 0 ? 0 : ys.reduce((sum, y) => sum + y, 0) / ys.length];
      }),
    );
    layer.sort((a, b) => middle.get(a)! - middle.get(b)!);
    for (const [index, taskId] of layer.entries())
      places.set(taskId, {
        x: MARGIN + BOX_WIDTH / 2 + depth * (BOX_WIDTH + GAP_X),
        y: MARGIN + BOX_HEIGHT / 2 + index * (BOX_HEIGHT + GAP_Y),
      });
  }
  return places;
}
