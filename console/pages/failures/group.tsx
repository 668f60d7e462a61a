import { useState } from 'preact/hooks';

import type { Execution } from '../../../client/browser';
import { useFailuresOf } from '../../api/failures';
import type { FailuresFilter } from '../../api/failures-filter';
import { useCan } from '../../api/project';
import { paths } from '../../app/address';
import { Go, useQueryValues } from '../../app/go';
import { Icon } from '../../parts/icons';
import { Instant, Relative } from '../../parts/instant';
import { Mark } from '../../parts/status-mark';
import { count, plural } from '../../time/format';
import { AckButton, AckText } from './ack';
import { type FailureGroup, overTime, retryWord } from './groups';
import { idOf, Rows } from './rows';

const BARS = 12;

interface GroupProps {
  group: FailureGroup;
  filter: FailuresFilter;
  sinceMs: number;
  isFirst: boolean;
  /** Asks before the whole cause runs again, or the chosen executions of it. */
  onRetry(group: FailureGroup, chosen?: readonly Execution[]): void;
}

/** Failures with one cause: how many, since when, and a way to run them again. */
export function Group({ group, filter, sinceMs, isFirst, onRetry }: GroupProps) {
  const { query } = useQueryValues();
  const [isOpen, setOpen] = useState(isFirst || query.get('group') === group.key);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const older = useFailuresOf(filter, group.key, isOpen && group.items.length === 0);
  const items = group.items.length > 0 ? group.items : (older.data ?? []);
  return (
    <section class="card group" data-part="group">
      <header>
        <Mark status={group.status} bare size={16} />
        <h2>
          <Go to={paths.cause(group.key)}>{group.head}</Go>
        </h2>
        {group.host && <span class="second">{group.host}</span>}
        {group.excerpt && <code class="excerpt">{group.excerpt}</code>}
        <div class="more">
          {group.items.length > 0 && <Bars group={group} sinceMs={sinceMs} />}
          <strong class="n num">
            {group.isAtLeast && '≥ '}
            {count(group.count)}
          </strong>
          <span class="since">
            of {plural(group.jobs, 'job')}, since <Instant at={group.firstMs} show="recent" />, last{' '}
            <Relative at={group.lastMs} />
          </span>
          <RetryButton group={group} items={items} left={left} onRetry={onRetry} />
          {group.status === 'failed' && <AckButton cause={group} />}
          <button
            type="button"
            class="btn bare small"
            aria-expanded={isOpen}
            aria-label={`Executions of ${group.head}`}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'down' : 'right'} size={14} />
          </button>
        </div>
      </header>
      <AckText ack={group.ack} />
      {isOpen && <Rows items={items} head={group.head} left={left} onLeft={setLeft} />}
    </section>
  );
}

interface RetryButtonProps extends Pick<GroupProps, 'group' | 'onRetry'> {
  items: readonly Execution[];
  left: ReadonlySet<string>;
}

/** Runs the whole cause again, or the chosen ones alone. */
export function RetryButton({ group, items, left, onRetry }: RetryButtonProps) {
  const can = useCan();
  const chosen = items.filter((one) => !left.has(idOf(one)));
  const isWhole = left.size === 0;
  if (!can('runs:operate')) return null;
  return (
    <button
      type="button"
      class={`btn small ${group.status === 'failed' ? 'first' : ''}`}
      disabled={!isWhole && chosen.length === 0}
      onClick={() => onRetry(group, isWhole ? undefined : chosen)}
    >
      <Icon name="retry" size={14} /> {retryWord(group)} {count(isWhole ? group.count : chosen.length)}…
    </button>
  );
}

function Bars({ group, sinceMs }: { group: FailureGroup; sinceMs: number }) {
  const counts = overTime(group.items, sinceMs, Math.max(group.lastMs, Date.now()), BARS);
  const most = Math.max(...counts);
  return (
    <svg width={BARS * 8} height="22" role="img" aria-label={`Over time: ${counts.join(', ')}`}>
      {counts.map((value, index) => {
        const height = value === 0 ? 1 : 3 + (value / most) * 18;
        return (
          <rect
            key={index}
            x={index * 8}
            y={22 - height}
            width="6"
            height={height}
            rx="1"
            fill={value === 0 ? 'var(--line-strong)' : `var(--${group.status}-fill)`}
          />
        );
      })}
    </svg>
  );
}
