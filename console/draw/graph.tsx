import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { Segments } from '../parts/card';
import { Shape, shapeOf } from '../parts/status-mark';
import { plural } from '../time/format';
import { BOX_HEIGHT, BOX_WIDTH, type GraphBox, type PlacedGraph, placeTasks } from './graph-layout';
import type { Point } from './layers';

interface GraphProps {
  boxes: readonly GraphBox[];
  chosen: string | undefined;
  onChoose(taskId: string): void;
}

const CHARACTERS = 20;
const cut = (text: string): string => (text.length > CHARACTERS ? `${text.slice(0, CHARACTERS - 1)}…` : text);

/**
 * Tasks and what they depend on. A graph in full size begins at the chosen task, or at the first that failed.
 * The table beside it says the same, and is what the keyboard reaches.
 */
export function Graph({ boxes, chosen, onChoose }: GraphProps) {
  const [size, setSize] = useState<'fit' | 'half' | 'full'>(boxes.length > 40 ? 'full' : 'fit');
  const scale = size === 'half' ? 0.5 : 1;
  // The places follow from the dependencies alone, so a poll does not count them again.
  const shape = JSON.stringify(
    boxes.map(({ taskId, dependsOn, isFinally }) => [taskId, dependsOn, isFinally]),
  );
  const placed = useMemo(() => placeTasks(boxes), [shape]);
  const scroller = useRef<HTMLDivElement>(null);
  const shown = chosen ?? boxes.find(({ status }) => status === 'failed')?.taskId;
  useEffect(() => {
    const box = scroller.current;
    const place = shown === undefined ? undefined : placed.places.get(shown);
    if (box && place && size !== 'fit')
      box.scrollTo(scale * place.x - box.clientWidth / 2, scale * place.y - box.clientHeight / 2);
  }, [shown, size, placed]);
  return (
    <>
      <div
        ref={scroller}
        class={`scroll graph ${size === 'fit' ? 'fit' : 'full'}`}
        tabIndex={0}
        role="region"
        aria-label="Graph of the tasks"
      >
        <Drawing placed={placed} scale={scale} boxes={boxes} chosen={chosen} onChoose={onChoose} />
      </div>
      {placed.width > 900 && (
        <p class="acts end">
          <Segments
            label="Size of the graph"
            value={size}
            options={[
              ['fit', 'Fit'],
              ['half', 'Half size'],
              ['full', 'Full size'],
            ]}
            onChange={(one) => setSize(one)}
          />
        </p>
      )}
    </>
  );
}

function Drawing({
  placed,
  scale,
  boxes,
  chosen,
  onChoose,
}: GraphProps & { placed: PlacedGraph; scale: number }) {
  const { places, edges, width, height, finallyX } = placed;
  const statuses = new Map(boxes.map(({ taskId, status }) => [taskId, status]));
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width * scale}
      height={height * scale}
      role="img"
      aria-label={`${plural(boxes.length, 'task')}, ${plural(edges.length, 'dependency', 'dependencies')}. The table has the same.`}
    >
      {edges.map(({ from, to, when, through }) => {
        const a = places.get(from)!;
        const b = places.get(to)!;
        return (
          <Edge
            key={`${from} ${to}`}
            from={{ x: a.x + BOX_WIDTH / 2, y: a.y }}
            through={through}
            half={BOX_WIDTH / 2}
            to={{ x: b.x - BOX_WIDTH / 2, y: b.y }}
            when={when}
            isPassed={statuses.get(to) === undefined || hasBegun(statuses.get(to)!)}
          />
        );
      })}
      {finallyX !== undefined && (
        <>
          <path d={`M${finallyX} 0V${height}`} stroke="var(--line-strong)" stroke-dasharray="3 4" />
          <text x={finallyX + 4} y={height - 4}>
            at the end
          </text>
        </>
      )}
      {boxes.map((box) => {
        const { x, y } = places.get(box.taskId)!;
        return (
          <Box
            key={box.taskId}
            box={box}
            x={x - BOX_WIDTH / 2}
            y={y - BOX_HEIGHT / 2}
            width={BOX_WIDTH}
            height={BOX_HEIGHT}
            isChosen={box.taskId === chosen}
            onChoose={() => onChoose(box.taskId)}
          />
        );
      })}
    </svg>
  );
}

/** A task that has begun shows that its dependencies were met. */
const hasBegun = (status: string): boolean =>
  ['queued', 'approval', 'running', 'retrying', 'succeeded', 'failed', 'cancelled'].includes(status);

interface EdgeProps {
  from: Point;
  /** Middles of the layers between, which it passes straight. */
  through: readonly Point[];
  /** Half of the width of a layer's boxes. */
  half: number;
  to: Point;
  when: string;
  isPassed: boolean;
}

const curve = (from: Point, to: Point): string => {
  const middle = (from.x + to.x) / 2;
  return `C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
};

function Edge({ from, through, half, to, when, isPassed }: EdgeProps) {
  let path = `M${from.x} ${from.y}`;
  let last = from;
  for (const { x, y } of through) {
    path += `${curve(last, { x: x - half, y })}H${x + half}`;
    last = { x: x + half, y };
  }
  path += curve(last, { x: to.x - 6, y: to.y });
  return (
    <g class={isPassed ? 'edge' : 'edge ahead'}>
      <path d={path} fill="none" stroke-width="1.6" stroke-dasharray={isPassed ? undefined : '4 4'} />
      <path d={`M${to.x - 8} ${to.y - 4}l7 4-7 4z`} class="tip" stroke="none" />
      {when !== 'succeeded' && (
        <text x={to.x - 10} y={to.y - 7} text-anchor="end">
          if {when}
        </text>
      )}
    </g>
  );
}

interface BoxProps {
  box: GraphBox;
  x: number;
  y: number;
  width: number;
  height: number;
  isChosen: boolean;
  onChoose(): void;
}

function Box({ box: { title, text, status }, x, y, width, height, isChosen, onChoose }: BoxProps) {
  const isAhead = status === 'waiting' || status === 'blocked' || status === 'stopped';
  return (
    <g
      transform={`translate(${x} ${y})`}
      class={`box ${status ? `s-${shapeOf(status)}` : ''} ${isChosen ? 'chosen' : ''}`}
      onClick={onChoose}
    >
      <title>{`${title}: ${status ?? ''} ${text}`}</title>
      <rect
        width={width}
        height={height}
        rx="8"
        stroke="currentColor"
        stroke-width={status === 'failed' ? 2 : 1.2}
        stroke-dasharray={isAhead ? '4 3' : undefined}
      />
      {status && <Shape status={shapeOf(status)} x={11} y={15} />}
      <text x={status ? 34 : 12} y="19" class="strong">
        {cut(title)}
      </text>
      <text x={status ? 34 : 12} y="34">
        {cut(text)}
      </text>
    </g>
  );
}
