import { useMemo } from 'preact/hooks';

import { groupBy } from '../parts/group-by';
import { Glyph } from '../parts/icons';
import { type Status, STATUS_SHAPES } from '../parts/status-mark';

/** Height by status: height and shape say how each ended, so that colour is not alone. */
const HEIGHT: Partial<Record<Status, number>> = { failed: 16, retrying: 13, running: 7 };
const STEP = 6;

/** `18 succeeded, 2 failed` */
export function summary(statuses: readonly Status[]): string {
  const counts = groupBy(statuses, (status) => status);
  return [...counts].map(([status, all]) => `${all.length} ${status}`).join(', ') || 'none yet';
}

/** The newest executions of a job, the oldest at the left. */
export const MiniHistory = ({ statuses }: { statuses: readonly Status[] }) => (
  <svg width={20 * STEP} height="18" role="img" aria-label={`Last ${statuses.length}: ${summary(statuses)}`}>
    {statuses.map((status, index) => {
      const x = (20 - statuses.length + index) * STEP;
      const height = HEIGHT[status] ?? 10;
      if (status === 'skipped')
        return <path key={index} d={`M${x + 2.5} 7l2.6 5-2.6 5-2.6-5z`} fill="var(--skipped-fill)" />;
      return (
        <rect key={index} x={x} y={17 - height} width="4.5" height={height} rx="1" fill={fillOf(status)} />
      );
    })}
  </svg>
);

const FILLED: readonly Status[] = ['succeeded', 'failed', 'running', 'retrying', 'skipped'];
const fillOf = (status: Status): string => `var(--${FILLED.includes(status) ? status : 'waiting'}-fill)`;

export interface Ended {
  status: Status;
  /** How long it took; null while unknown. */
  ms: number | null;
  label: string;
  key: string;
}

const WIDTH = 900;
const TALL = 96;
export const HISTORY_RATIO = `${WIDTH} / ${TALL}`;
const BASE = 72;
const TALLEST = 58;

/** How long each of the newest occurrences took, the oldest at the left. */
export function HistoryStrip({ ended, places = 60 }: { ended: readonly Ended[]; places?: number }) {
  const most = useMemo(() => Math.max(1, ...ended.map(({ ms }) => ms ?? 0)), [ended]);
  const step = WIDTH / places;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${TALL}`}
      width="100%"
      role="img"
      aria-label={`The last ${ended.length} occurrences: ${summary(ended.map(({ status }) => status))}`}
    >
      <path d={`M0 ${BASE}H${WIDTH}`} stroke="var(--line)" />
      {ended.map(({ status, ms, label, key }, index) => {
        const x = (places - ended.length + index) * step;
        const height = status === 'skipped' || ms === null ? 0 : 5 + (ms / most) * TALLEST;
        return (
          <g key={key}>
            <title>{label}</title>
            {height > 0 && (
              <rect
                x={x + 1.5}
                y={BASE - height}
                width={Math.max(1, step - 3)}
                height={height}
                rx="1.5"
                fill={fillOf(status)}
              />
            )}
            {status !== 'succeeded' && (
              <svg x={x + step / 2 - 6} y="79" width="12" height="12" class={`s-${status}`}>
                <Glyph size={12}>{STATUS_SHAPES[status]}</Glyph>
              </svg>
            )}
          </g>
        );
      })}
    </svg>
  );
}
