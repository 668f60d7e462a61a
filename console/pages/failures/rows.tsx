import { useState } from 'preact/hooks';

import type { Execution } from '../../../client/browser';
import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { JobAndDue, Open } from '../../parts/execution-cells';
import { reasonText } from '../../parts/reason';
import { Headings } from '../../parts/table';
import { count, plural } from '../../time/format';

const FIRST_ROWS = 6;

export const idOf = ({ jobId, execId }: Execution): string => `${jobId}/${execId}`;

interface RowsProps {
  /** Newest first. */
  items: readonly Execution[];
  head: string;
  /** Ids of those that are not chosen. */
  left: ReadonlySet<string>;
  onLeft(left: ReadonlySet<string>): void;
}

/** The executions of one cause, each with its reason. */
export function Rows({ items, head, left, onLeft }: RowsProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, FIRST_ROWS);
  return (
    <>
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
              <Headings of={['Job', 'Due', 'Attempts', 'Reason', 'Blocks', ['Actions', 'hidden']]} />
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
  const { jobId, dueAt, attempts, reason, orderingKey, blocksKey, skipped, excerpt } = props.execution;
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
      <JobAndDue jobId={jobId} dueAt={dueAt} />
      <td>{tries || ''}</td>
      <td class="prose">
        {reason && reasonText(reason)}
        {skipped && skipped.count > 1 && `: ${plural(skipped.count, 'occurrence')}`}
        {excerpt && <code class="excerpt second">{excerpt}</code>}
      </td>
      <td>
        {orderingKey && blocksKey && (
          <Go to={paths.key(orderingKey)}>
            <span class="late">{orderingKey}</span>
          </Go>
        )}
      </td>
      <td class="num">
        <Open execution={props.execution} />
      </td>
    </tr>
  );
}
