import type { ComponentChildren } from 'preact';

import { Icon } from '../../parts/icons';
import { Mark } from '../../parts/status-mark';
import { count, duration } from '../../time/format';
import type { Figures } from './figures';

interface NumbersProps {
  figures: Figures;
  /** What they leave out, or that they leave out nothing: what is below keeps its place. */
  limits: string;
}

/** The day in numbers. */
export function Numbers({ figures, limits }: NumbersProps) {
  const { succeeded, failed, skipped, running, late, worstMs, p50Ms, p99Ms } = figures;
  return (
    <>
      <dl class="card kpis" data-part="numbers">
        <Figure name="Ended" value={succeeded + failed + skipped} />
        <Figure name={<Mark status="succeeded" text="Succeeded" />} value={succeeded} />
        <Figure name={<Mark status="failed" text="Failed" />} value={failed} />
        <Figure name={<Mark status="skipped" text="Skipped" />} value={skipped} />
        <Figure name={<Mark status="running" text="Running" />} value={running ?? '–'} />
        <Figure
          name={
            <>
              <Icon name="clock" size={14} /> Late by more than 1 s
            </>
          }
          value={late}
          more={late > 0 && `worst ${duration(worstMs)}`}
        />
        <Figure
          name="Lateness, 99th of 100"
          value={p99Ms === undefined ? '–' : duration(p99Ms)}
          more={p50Ms !== undefined && `middle ${duration(p50Ms)}`}
        />
      </dl>
      <p class="quiet limits">{limits}</p>
    </>
  );
}

const Figure = (props: { name: ComponentChildren; value: number | string; more?: ComponentChildren }) => (
  <div>
    <dt>{props.name}</dt>
    <dd>
      {typeof props.value === 'number' ? count(props.value) : props.value}
      {props.more && <small> {props.more}</small>}
    </dd>
  </div>
);
