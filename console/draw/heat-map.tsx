import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { clock, count, MINUTE_MS } from '../time/format';

const CELL = { width: 15, height: 14 };
const LEFT = 44;
const TOP = 18;
const STEPS = [1, 4, 10, 30, 100];
const WIDTH = LEFT + 60 * CELL.width;
const STEP_BY_KEY: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  ArrowDown: 60,
  ArrowUp: -60,
};

interface HeatMapProps {
  /** One for each minute of the day. */
  counts: readonly number[];
  fromMs: number;
  zone: string;
  /** The minute that is marked first. */
  mark: number;
}

/** 24 hours by 60 minutes of planned load. Arrow keys walk it, and the pointer points at it. */
export function HeatMap({ counts, fromMs, zone, mark }: HeatMapProps) {
  const [at, setAt] = useState(mark);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => setAt(mark), [mark]);
  const rows = Math.ceil(counts.length / 60);
  const height = TOP + rows * CELL.height + 2;
  const move = (to: number) => setAt(Math.min(counts.length - 1, Math.max(0, to)));
  const words = `${clock(fromMs + at * MINUTE_MS, zone)}: ${count(counts[at] ?? 0)} planned`;
  return (
    <div data-part="heat-map">
      <div class="scroll drawn">
        <div
          ref={box}
          class="heat"
          role="slider"
          tabIndex={0}
          aria-label="Minute of the day"
          aria-valuemin={0}
          aria-valuemax={counts.length - 1}
          aria-valuenow={at}
          aria-valuetext={words}
          onKeyDown={(event) => {
            const by = STEP_BY_KEY[event.key];
            if (by === undefined) return;
            event.preventDefault();
            move(at + by);
          }}
          onPointerMove={(event) => {
            const minute = minuteAt(event, box.current!.getBoundingClientRect(), height);
            if (minute !== undefined && minute < counts.length) setAt(minute);
          }}
        >
          <svg viewBox={`0 0 ${WIDTH} ${height}`} width="100%" aria-hidden="true">
            <Axes rows={rows} fromMs={fromMs} zone={zone} />
            <Cells counts={counts} />
            <Marked at={at} />
          </svg>
        </div>
      </div>
      <div class="heat-foot">
        <strong>{words}</strong>
        <span class="legend" aria-hidden="true">
          <span>
            none <i class="swatch heat-0" />
          </span>
          {STEPS.map((least, index) => (
            <span key={least}>
              ≥ {least} <i class={`swatch heat-${index + 1}`} />
            </span>
          ))}
        </span>
      </div>
    </div>
  );
}

const Marked = ({ at }: { at: number }) => (
  <rect
    x={LEFT + (at % 60) * CELL.width - 2}
    y={TOP + Math.floor(at / 60) * CELL.height - 2}
    width={CELL.width + 2}
    height={CELL.height + 2}
    rx="2"
    fill="none"
    stroke="var(--brass)"
    stroke-width="2"
  />
);

function minuteAt(event: PointerEvent, box: DOMRect, height: number): number | undefined {
  const column = Math.floor((((event.clientX - box.left) / box.width) * WIDTH - LEFT) / CELL.width);
  const row = Math.floor((((event.clientY - box.top) / box.height) * height - TOP) / CELL.height);
  return column >= 0 && column < 60 && row >= 0 ? row * 60 + column : undefined;
}

const Axes = ({ rows, fromMs, zone }: { rows: number; fromMs: number; zone: string }) => (
  <>
    {[0, 15, 30, 45].map((minute) => (
      <text key={minute} x={LEFT + minute * CELL.width} y="11">
        :{String(minute).padStart(2, '0')}
      </text>
    ))}
    {Array.from({ length: Math.ceil(rows / 2) }, (_, index) => (
      <text key={index} x={LEFT - 8} y={TOP + index * 2 * CELL.height + 10} text-anchor="end">
        {clock(fromMs + index * 7_200_000, zone)}
      </text>
    ))}
  </>
);

/** One path for each step: 1,440 cells cost as much as six. */
function Cells({ counts }: { counts: readonly number[] }) {
  const drawn = useMemo(() => {
    const paths = Array<string>(STEPS.length + 1).fill('');
    for (const [index, value] of counts.entries()) {
      const step = STEPS.findLastIndex((least) => value >= least) + 1;
      const x = LEFT + (index % 60) * CELL.width;
      const y = TOP + Math.floor(index / 60) * CELL.height;
      paths[step] += `M${x} ${y}h${CELL.width - 2}v${CELL.height - 2}h${2 - CELL.width}z`;
    }
    return paths;
  }, [counts]);
  return <>{drawn.map((path, step) => path && <path key={step} d={path} fill={`var(--heat-${step})`} />)}</>;
}
