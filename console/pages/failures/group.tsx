import { useState } from 'preact/hooks';

import type { Execution } from '../../../client/browser';
import { useCan } from '../../api/project';
import { paths } from '../../app/address';
import { Go, useQueryValues } from '../../app/go';
import { Icon } from '../../parts/icons';
import { Instant, Relative } from '../../parts/instant';
import { reasonText } from '../../parts/reason';
import { Mark } from '../../parts/status-mark';
import { count, plural } from '../../time/format';
import { type FailureGroup, overTime } from './groups';

const FIRST_ROWS = 6;
const BARS = 12;

interface GroupProps {
  group: FailureGroup;
  sinceMs: number;
  isFirst: boolean;
  onRetry(items: readonly Execution[], word: string): void;
}

/** Failures with one cause: how many, since when, and a way to run them again. */
export function Group({ group, sinceMs, isFirst, onRetry }: GroupProps) {
  const { query } = useQueryValues();
  const [isOpen, setOpen] = useState(isFirst || query.get('group') === group.key);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const can = useCan();
  const chosen = group.items.filter((one) => !left.has(idOf(one)));
  const word = group.status === 'failed' ? 'Retry' : 'Run';
  return (
    <section class="card group" data-part="group">
      <header>
        <Mark status={group.status} bare size={16} />
        <h2>{group.head}</h2>
        {group.host && <span class="second">{group.host}</span>}
        <div class="more">
          <Bars group={group} sinceMs={sinceMs} />
          <strong class="n">{count(group.count)}</strong>
          <span>
            of {plural(group.jobs, 'job')}, since <Instant at={group.firstMs} show="both" />, last{' '}
            <Relative at={group.lastMs} />
          </span>
          {can('runs:operate') && (
            <button
              type="button"
              class={`btn small ${group.status === 'failed' ? 'first' : ''}`}
              disabled={chosen.length === 0}
              onClick={() => onRetry(chosen, word)}
            >
              <Icon name="retry" size={14} /> {word} {count(chosen.length)}
            </button>
          )}
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
      {isOpen && <Rows group={group} left={left} onLeft={setLeft} />}
    </section>
  );
}

const idOf = ({ jobId, execId }: Execution): string => `${jobId}/${execId}`;

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

interface RowsProps {
  group: FailureGroup;
  left: ReadonlySet<string>;
  onLeft(left: ReadonlySet<string>): void;
}

function Rows({ group: { items, head }, left, onLeft }: RowsProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, FIRST_ROWS);
  const body = items.find(({ result }) => result?.body)?.result?.body;
  return (
    <>
      {body && (
        <p class="first-words second">
          First words of the answer: <code>{body.slice(0, 160)}</code>
        </p>
      )}
      <div class="scroll" tabIndex={0} role="region" aria-label={`Table of ${head}`}>
        <table class="tight failures">
          <thead>
            <tr>
              <th>
                <input
                  type="checkbox"
                  aria-label={`Choose all ${items.length}`}
                  checked={left.size === 0}
                  onChange={() => onLeft(new Set(left.size === 0 ? items.map(idOf) : []))}
                />
              </th>
              <th scope="col">Job</th>
              <th scope="col">Due</th>
              <th scope="col">Attempts</th>
              <th scope="col">Reason</th>
              <th scope="col">Blocks</th>
              <th>
                <span class="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <Row
                key={idOf(one)}
                execution={one}
                isChosen={!left.has(idOf(one))}
                onChoose={() => onLeft(toggled(left, idOf(one)))}
              />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < items.length && (
        <p class="more-rows">
          <button type="button" class="btn small" onClick={() => setWhole(true)}>
            {count(items.length - shown.length)} more
          </button>
        </p>
      )}
    </>
  );
}

function toggled(set: ReadonlySet<string>, item: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(item)) next.add(item);
  return next;
}

function Row(props: { execution: Execution; isChosen: boolean; onChoose(): void }) {
  const { jobId, execId, dueAt, attempts, reason, orderingKey, blocksKey, skipped } = props.execution;
  const tries = Math.max(0, ...attempts.map(({ attempt }) => attempt));
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={`Choose ${jobId} of ${dueAt}`}
          checked={props.isChosen}
          onChange={props.onChoose}
        />
      </td>
      <td>
        <Go to={paths.job(jobId)} class="job">
          {jobId}
        </Go>
      </td>
      <td>
        <Instant at={dueAt} show="full" />
      </td>
      <td>{tries || ''}</td>
      <td class="prose">
        {reason && reasonText(reason)}
        {skipped && skipped.count > 1 && `: ${plural(skipped.count, 'occurrence')}`}
      </td>
      <td>
        {orderingKey && blocksKey && (
          <Go to={paths.key(orderingKey)}>
            <span class="late">{orderingKey}</span>
          </Go>
        )}
      </td>
      <td class="num">
        <Go to={paths.execution(jobId, execId)} aria-label={`Open ${jobId} of ${dueAt}`}>
          Open
        </Go>
      </td>
    </tr>
  );
}
