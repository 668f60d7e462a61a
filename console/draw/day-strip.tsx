import { zone } from '../app/zone';
import type { Quarter } from '../pages/today/figures';
import { clock, count } from '../time/format';

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
  quarters: readonly Quarter[];
  nowMs: number;
}

const totalOf = (quarter: Quarter): number => ORDER.reduce((sum, kind) => sum + quarter[kind], 0);

/** A day in quarters of an hour: what ended and how, what is planned, and where now is. */
export function DayStrip({ quarters, nowMs }: DayStripProps) {
  const step = (WIDTH - LEFT - 6) / quarters.length;
  const top = roundUp(Math.max(4, ...quarters.map(totalOf)));
  const fromMs = quarters[0]!.atMs;
  const lengthMs = quarters.length * 900_000;
  const nowX = LEFT + ((nowMs - fromMs) / lengthMs) * (WIDTH - LEFT - 6);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="100%" role="img" aria-label={sentence(quarters)}>
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
      {[0, 0.5, 1].map((part) => (
        <g key={part}>
          <path d={`M${LEFT} ${BASE - part * TALLEST}H${WIDTH - 6}`} stroke="var(--line)" />
          <text x={LEFT - 6} y={BASE - part * TALLEST + 4} text-anchor="end">
            {count(top * part)}
          </text>
        </g>
      ))}
      {quarters.map((quarter, index) => (
        <Column key={quarter.atMs} quarter={quarter} x={LEFT + index * step} width={step - 2} top={top} />
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

function Column(props: { quarter: Quarter; x: number; width: number; top: number }) {
  const { quarter, x, width, top } = props;
  let y = BASE;
  return (
    <g>
      {ORDER.map((kind) => {
        if (quarter[kind] === 0) return null;
        const height = Math.max(THINNEST[kind], (quarter[kind] / top) * TALLEST);
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

function sentence(quarters: readonly Quarter[]): string {
  const sum = (kind: (typeof ORDER)[number]) => quarters.reduce((all, quarter) => all + quarter[kind], 0);
  return `By quarter of an hour: ${count(sum('succeeded'))} succeeded, ${count(sum('failed'))} failed, ${count(
    sum('skipped'),
  )} skipped, ${count(sum('planned'))} planned`;
}
