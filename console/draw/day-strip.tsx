import { zone } from '../app/zone';
import type { DayPart } from '../pages/today/figures';
import { clock, count, HOUR_MS } from '../time/format';

const WIDTH = 1_000;
const HEIGHT = 132;
/** Of width to height. */
export const DAY_STRIP_RATIO = `${WIDTH} / ${HEIGHT}`;
const LEFT = 44;
const BASE = 112;
const TALLEST = 92;
const ORDER = ['succeeded', 'skipped', 'failed', 'planned'] as const;
/** A failure is never too thin to be seen. */
const THINNEST = { succeeded: 1, skipped: 3, failed: 3, planned: 1 };

interface DayStripProps {
  /** Hours, or quarters of an hour. */
  parts: readonly DayPart[];
  nowMs: number;
}

const totalOf = (part: DayPart): number => ORDER.reduce((sum, kind) => sum + part[kind], 0);

/** A day in equal parts: what ended and how, what is planned, and where now is. */
export function DayStrip({ parts, nowMs }: DayStripProps) {
  const step = (WIDTH - LEFT - 6) / parts.length;
  const top = roundUp(Math.max(4, ...parts.map(totalOf)));
  const fromMs = parts[0]!.atMs;
  const partMs = parts[1]!.atMs - fromMs;
  const lengthMs = parts.length * partMs;
  const nowX = LEFT + ((nowMs - fromMs) / lengthMs) * (WIDTH - LEFT - 6);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="100%" role="img" aria-label={sentence(parts, partMs)}>
      <defs>
        <pattern
          id="planned"
          width="5"
          height="5"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="5" height="5" fill="var(--planned-fill)" opacity=".45" />
          <path d="M0 0v5" stroke="var(--waiting-fill)" stroke-width="1.2" opacity=".7" />
        </pattern>
      </defs>
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <path d={`M${LEFT} ${BASE - share * TALLEST}H${WIDTH - 6}`} stroke="var(--line)" />
          <text x={LEFT - 6} y={BASE - share * TALLEST + 4} text-anchor="end">
            {count(top * share)}
          </text>
        </g>
      ))}
      {parts.map((part, index) => (
        <Column key={part.atMs} part={part} x={LEFT + index * step} width={step - 2} top={top} />
      ))}
      {Array.from({ length: 13 }, (_, index) => (
        <text
          key={index}
          x={LEFT + (index * (WIDTH - LEFT - 6)) / 12}
          y="128"
          text-anchor={index === 12 ? 'end' : index === 0 ? 'start' : 'middle'}
        >
          {clock(fromMs + (index * lengthMs) / 12, zone.value)}
        </text>
      ))}
      {nowX >= LEFT && nowX <= WIDTH && (
        <g stroke="var(--brass)" fill="var(--brass)">
          <path d={`M${nowX} 8V${BASE}`} stroke-width="1.5" />
          <circle cx={nowX} cy="8" r="3.5" stroke="none" />
        </g>
      )}
    </svg>
  );
}

function Column(props: { part: DayPart; x: number; width: number; top: number }) {
  const { part, x, width, top } = props;
  let y = BASE;
  return (
    <g>
      {ORDER.map((kind) => {
        if (part[kind] === 0) return null;
        const height = Math.max(THINNEST[kind], (part[kind] / top) * TALLEST);
        y -= height;
        const fill = kind === 'planned' ? 'url(#planned)' : `var(--${kind}-fill)`;
        return <rect key={kind} x={x} y={y} width={width} height={height} rx="1" fill={fill} />;
      })}
    </g>
  );
}

/** A round number of at least `value`: 4, 10, 20, 40, 100 … */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 10].map((factor) => factor * power).find((one) => one >= value)!;
}

function sentence(parts: readonly DayPart[], partMs: number): string {
  const sum = (kind: (typeof ORDER)[number]) => parts.reduce((all, part) => all + part[kind], 0);
  return `By ${partMs === HOUR_MS ? 'hour' : 'quarter of an hour'}: ${count(sum('succeeded'))} succeeded, ${count(
    sum('failed'),
  )} failed, ${count(sum('skipped'))} skipped, ${count(sum('planned'))} planned`;
}
