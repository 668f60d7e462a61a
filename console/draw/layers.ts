/** A place: in a layered graph, `x` is the number of the layer. */
export interface Point {
  x: number;
  y: number;
}

interface Link {
  from: string;
  to: string;
}

/** A task, or a point through which an edge passes a layer between its ends. */
interface Node {
  layer: number;
  /** Height in pixels, with half of the gap above and below. */
  height: number;
  y: number;
  left: Node[];
  right: Node[];
}

export interface Layered {
  /** `y` in pixels: the middle of the box, at least 0. */
  places: ReadonlyMap<string, Point>;
  /** For each link, where it passes the layers between its ends. */
  through: readonly (readonly Point[])[];
}

/** To and fro over the layers; fewer in a graph of many nodes, where each takes long. */
const sweepsOf = (layers: readonly (readonly Node[])[]): number => (layers.flat().length > 1_000 ? 4 : 12);

/**
 * Places nodes in layers from the left to the right. Each is right of all that leads to it. Edges cross
 * seldom, and are short (Sugiyama, Tagawa and Toda, 1981).
 */
export function inLayers(
  ids: readonly string[],
  links: readonly Link[],
  { height, gap }: { height: number; gap: number },
): Layered {
  const depths = depthsOf(ids, links);
  const nodeAt = (layer: number, own: number): Node => ({
    layer,
    height: own + gap,
    y: 0,
    left: [],
    right: [],
  });
  const nodes = new Map(ids.map((id) => [id, nodeAt(depths.get(id)!, height)]));
  const layers: Node[][] = [];
  const add = (node: Node) => void (layers[node.layer] ??= []).push(node);
  for (const node of nodes.values()) add(node);
  const through = links.map(({ from, to }) => {
    const [start, end] = [nodes.get(from)!, nodes.get(to)!];
    const points: Node[] = [];
    for (let layer = start.layer + 1; layer < end.layer; layer++) points.push(nodeAt(layer, 0));
    points.forEach(add);
    const path = [start, ...points, end];
    for (const [index, node] of path.slice(1).entries()) {
      node.left.push(path[index]!);
      path[index]!.right.push(node);
    }
    return points;
  });
  place(order(layers));
  closeHoles(layers.flat());
  const top = Math.min(...layers.flat().map(({ y, height: all }) => y + (height + gap - all) / 2), Infinity);
  const pointOf = ({ layer, y }: Node): Point => ({ x: layer, y: Math.round(y - top) });
  return {
    places: new Map([...nodes].map(([id, node]) => [id, pointOf(node)])),
    through: through.map((points) => points.map(pointOf)),
  };
}

/** The longest way to each node. One with more ways out than in moves to the right as far as it can. */
function depthsOf(ids: readonly string[], links: readonly Link[]): Map<string, number> {
  const before = new Map<string, string[]>(ids.map((id) => [id, []]));
  const after = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const { from, to } of links) {
    before.get(to)!.push(from);
    after.get(from)!.push(to);
  }
  const depths = new Map<string, number>();
  const depthOf = (id: string): number => {
    let depth = depths.get(id);
    if (depth !== undefined) return depth;
    depths.set(id, 0); // ends a circle
    depth = 1 + Math.max(-1, ...before.get(id)!.map(depthOf));
    depths.set(id, depth);
    return depth;
  };
  for (const id of ids) depthOf(id);
  for (const id of ids.toSorted((a, b) => depths.get(b)! - depths.get(a)!)) {
    const ends = after.get(id)!;
    if (ends.length <= before.get(id)!.length) continue;
    depths.set(id, Math.max(depths.get(id)!, Math.min(...ends.map((one) => depths.get(one)!)) - 1));
  }
  return depths;
}

/**
 * Sorts each layer by the middle of what it is linked to, to and fro. The order with the fewest crossings
 * wins.
 */
function order(layers: readonly Node[][]): readonly Node[][] {
  let best = layers.map((layer) => [...layer]);
  let fewest = crossingsOf(best);
  const sweeps = sweepsOf(layers);
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
    const isForward = sweep % 2 === 0;
    for (const layer of isForward ? layers : layers.toReversed()) {
      const others = layers[layer[0]!.layer + (isForward ? -1 : 1)];
      if (!others) continue;
      const rank = new Map(others.map((node, index) => [node, index]));
      const own = new Map(layer.map((node, index) => [node, index]));
      const middle = (node: Node): number => {
        const linked = (isForward ? node.left : node.right).flatMap((one) => rank.get(one) ?? []);
        return linked.length > 0 ? mean(linked) : own.get(node)!;
      };
      const middles = new Map(layer.map((node) => [node, middle(node)]));
      layer.sort((a, b) => middles.get(a)! - middles.get(b)!);
    }
    const crossings = crossingsOf(layers);
    if (crossings >= fewest) continue;
    fewest = crossings;
    best = layers.map((layer) => [...layer]);
  }
  return best;
}

/** How many pairs of edges cross between neighbouring layers. */
function crossingsOf(layers: readonly (readonly Node[])[]): number {
  let crossings = 0;
  for (const [index, layer] of layers.entries()) {
    const rank = new Map(layers[index + 1]?.map((node, at) => [node, at]));
    const passed: number[] = []; // sorted
    for (const node of layer)
      for (const end of node.right.flatMap((one) => rank.get(one) ?? []).sort((a, b) => a - b)) {
        const at = passed.findLastIndex((one) => one <= end) + 1;
        crossings += passed.length - at;
        passed.splice(at, 0, end);
      }
  }
  return crossings;
}

/** Moves the nodes of each layer towards what they are linked to; they keep their order and distances. */
function place(layers: readonly (readonly Node[])[]): void {
  for (const layer of layers) spread(layer, () => 0);
  const sweeps = sweepsOf(layers);
  for (let sweep = 0; sweep < sweeps; sweep++)
    for (const layer of sweep % 2 === 0 ? layers : layers.toReversed())
      spread(layer, ({ left, right, y }) => {
        const linked = sweep >= sweeps - 2 ? [...left, ...right] : sweep % 2 === 0 ? left : right;
        return linked.length > 0 ? mean(linked.map((one) => one.y)) : y;
      });
}

/** Rows that are at one height in no layer are left out: all below moves up. */
function closeHoles(nodes: readonly Node[]): void {
  let [bottom, up] = [-Infinity, 0];
  for (const node of nodes.toSorted((a, b) => a.y - a.height / 2 - (b.y - b.height / 2))) {
    const top = node.y - node.height / 2;
    if (bottom > -Infinity && top > bottom) up += top - bottom;
    bottom = Math.max(bottom, node.y + node.height / 2);
    node.y -= up;
  }
}

/** As near as possible to the places that are wanted. Neighbours that collide move as one block. */
function spread(layer: readonly Node[], wanted: (node: Node) => number): void {
  let [offset, last] = [0, 0];
  const blocks: { sum: number; nodes: { node: Node; offset: number }[] }[] = [];
  for (const node of layer) {
    offset += (last + node.height) / 2;
    last = node.height;
    blocks.push({ sum: wanted(node) - offset, nodes: [{ node, offset }] });
    while (blocks.length > 1 && middleOf(blocks.at(-2)!) > middleOf(blocks.at(-1)!)) {
      const { sum, nodes } = blocks.pop()!;
      blocks.at(-1)!.sum += sum;
      blocks.at(-1)!.nodes.push(...nodes);
    }
  }
  for (const block of blocks) for (const one of block.nodes) one.node.y = middleOf(block) + one.offset;
}

const middleOf = ({ sum, nodes }: { sum: number; nodes: readonly unknown[] }): number => sum / nodes.length;
const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
