import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import type { Execution, Item } from '../../../client/browser';
import { type ItemStatus, useItem, useItems } from '../../api/runs';
import { paths } from '../../app/address';
import { Go, useQueryValues } from '../../app/go';
import { CountsBar } from '../../parts/counts-bar';
import { Instant } from '../../parts/instant';
import { reasonText } from '../../parts/reason';
import { Loaded } from '../../parts/states';
import { Mark, shapeOf } from '../../parts/status-mark';
import { AttemptList } from './attempt-list';
import type { Counts } from '../../parts/item-counts';
import { Table } from '../../parts/table';

const STATUSES: readonly ItemStatus[] = [
  'waiting',
  'queued',
  'running',
  'retrying',
  'succeeded',
  'failed',
  'cancelled',
  'stopped',
];

interface ItemsProps {
  execution: Execution;
  taskId: string;
  /** Null: the fan-out has not begun. */
  counts: Counts | null;
  /** The items are the dates of a backfill. */
  isDates?: boolean;
}

/** The items of a fan-out, in the order of its list. The chosen status stands in the address. */
export function Items({ execution, taskId, counts, isDates = false }: ItemsProps) {
  const { query, put } = useQueryValues();
  const status = STATUSES.find((one) => one === query.get('items'));
  const [pages, setPages] = useState(1);
  const [open, setOpen] = useState<number>();
  const items = useItems({ execution, taskId }, { status, pages });
  return (
    <div data-part="task-items">
      {!isDates && <h3>Items</h3>}
      {counts && <CountsBar counts={counts} />}
      <label class="field">
        Status
        <select
          value={status ?? ''}
          onChange={(event) => {
            setPages(1);
            put({ items: event.currentTarget.value });
          }}
        >
          <option value="">any</option>
          {STATUSES.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      <Loaded query={items} height={160}>
        {(found) => (
          <>
            <ItemsTable
              items={found.items}
              isDates={isDates}
              open={open}
              onOpen={(one) => setOpen(one === open ? undefined : one)}
            />
            {found.items.length === 0 && (
              <p class="quiet">
                No {isDates ? 'date' : 'item'}
                {status && ` is ${status}`}.
              </p>
            )}
            {found.hasMore && (
              <button type="button" class="btn small" onClick={() => setPages(pages + 1)}>
                Show more
              </button>
            )}
          </>
        )}
      </Loaded>
      {open !== undefined && <OneItem key={open} execution={execution} taskId={taskId} index={open} />}
    </div>
  );
}

interface TableProps {
  items: readonly Item[];
  isDates: boolean;
  open: number | undefined;
  onOpen(index: number): void;
}

const ItemsTable = ({ items, isDates, open, onOpen }: TableProps) => (
  <Table label="Items of the task" class="tight" heads={['Item', isDates ? 'Date' : 'Value', 'Status']}>
    {items.map(({ index, item, status, reason, child }) => (
      <tr key={index}>
        <th scope="row">
          <button type="button" class="link" aria-expanded={index === open} onClick={() => onOpen(index)}>
            {index}
          </button>
        </th>
        <td class={isDates ? 'prose' : 'mono item-value'} title={JSON.stringify(item)}>
          <OfChild child={child}>
            {isDates ? <Instant at={item as string} show="year" /> : JSON.stringify(item)}
          </OfChild>
        </td>
        <td>
          <Mark status={shapeOf(status)} text={status} />
          {reason && `, ${reasonText(reason)}`}
        </td>
      </tr>
    ))}
  </Table>
);

/** Links to the execution of the job that an item has started, if it has. */
const OfChild = ({ child, children }: Pick<Item, 'child'> & { children: ComponentChildren }) =>
  child?.execId ? <Go to={paths.execution(child.jobId, child.execId)}>{children}</Go> : <>{children}</>;

/** One item: its value, its answer and its attempts. */
function OneItem({ execution, taskId, index }: { execution: Execution; taskId: string; index: number }) {
  const item = useItem({ execution, taskId }, index);
  return (
    <div data-part="task-item">
      <h3>Item {index}</h3>
      <Loaded query={item} height={120}>
        {({ item: value, result, attemptList }) => (
          <div class="stack">
            <pre class="code">{JSON.stringify(value, null, 2)}</pre>
            {result && <pre class="code">{result.body ?? 'no body'}</pre>}
            {attemptList.length > 0 && (
              <AttemptList attempts={attemptList} part="item-attempts" of={`item ${index}`} />
            )}
          </div>
        )}
      </Loaded>
    </div>
  );
}
