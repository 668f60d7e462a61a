import { inLayers, type Point } from './layers';

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
  /** Between other tasks it passes through these, from the left to the right. */
  through: readonly Point[];
}

/** Where each task is drawn: the middle of its box, in pixels. */
export interface PlacedGraph {
  places: ReadonlyMap<string, Point>;
  edges: readonly GraphEdge[];
  width: number;
  height: number;
  /** Left of the tasks that run at the end; undefined without such tasks. */
  finallyX: number | undefined;
}

export const BOX_WIDTH = 160;
export const BOX_HEIGHT = 44;
/** A condition has room in it: `if failed`. */
const GAP_X = 56;
const GAP_Y = 14;
const MARGIN = 6;
/** Places the tasks from the left to the right: each right of all that it depends on. */
export function placeTasks(tasks: readonly GraphTask[]): PlacedGraph {
  const main = tasks.filter(({ isFinally }) => !isFinally);
  const last = tasks.filter(({ isFinally }) => isFinally);
  // While a workflow is typed, a task may depend on what does not exist, or on one of the end.
  const known = new Set(main.map(({ taskId }) => taskId));
  const links = main.flatMap(({ taskId, dependsOn }) =>
    dependsOn
      .filter(({ task }) => known.has(task))
      .map(({ task, if: when }) => ({ from: task, to: taskId, when })),
  );
  const layered = inLayers(
    main.map(({ taskId }) => taskId),
    links,
    { height: BOX_HEIGHT, gap: GAP_Y },
  );
  const at = ({ x, y }: Point): Point => ({
    x: MARGIN + BOX_WIDTH / 2 + x * (BOX_WIDTH + GAP_X),
    y: MARGIN + BOX_HEIGHT / 2 + y,
  });
  const places = new Map([...layered.places].map(([taskId, place]) => [taskId, at(place)]));
  const edges = links.map((link, index) => ({ ...link, through: layered.through[index]!.map(at) }));
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
    // The words at the line of the end stand below all boxes.
    height: sizeOf('y', BOX_HEIGHT / 2) + (finallyX === undefined ? 0 : GAP_Y),
    finallyX,
  };
}
