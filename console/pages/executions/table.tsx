import type { Execution } from '../../../client/browser';
import { paths } from '../../app/address';
import { Go, useGo } from '../../app/go';
import { HeldRows, useHeldRows } from '../../parts/held-rows';
import { OutcomeCells } from '../../parts/execution-cells';
import { Instant } from '../../parts/instant';
import { useRowKeys } from '../../parts/row-keys';
import { type Column, pressed, sorted, type Sorting } from './sorting';

interface TableProps {
  items: readonly Execution[];
  /** Names the list: another one begins anew. */
  filter: string;
  sorting: Sorting;
  onSort(sorting: Sorting): void;
}

/** Executions of many jobs. Below the top, new rows wait; the order is that of the chosen column. */
export function ExecutionsTable({ items, filter, sorting, onSort }: TableProps) {
  const { items: present, held, show } = useHeldRows(items, filter);
  const rows = sorted(present, sorting);
  const go = useGo();
  const here = useRowKeys(rows.length, {
    open: (index) => go(paths.execution(rows[index]!.jobId, rows[index]!.execId)),
  });
  return (
    <>
      <HeldRows held={held} show={show} />
      <div class="scroll" tabIndex={0} role="region" aria-label="Table of executions">
        <table class="ledger executions">
          <Head sorting={sorting} onSort={onSort} />
          <tbody>
            {rows.map((one, index) => (
              <Row key={`${one.jobId} ${one.execId}`} execution={one} isHere={index === here} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

const COLUMNS: readonly (readonly [text: string, by?: Column, kind?: 'num'])[] = [
  ['Due', 'due'],
  ['Job', 'job'],
  ['Outcome', 'outcome'],
  ['Why, or how'],
  ['Took', 'took', 'num'],
  ['Late by', 'late', 'num'],
];

const Head = ({ sorting, onSort }: Pick<TableProps, 'sorting' | 'onSort'>) => (
  <thead>
    <tr>
      {COLUMNS.map(([text, by, kind]) => {
        const order = by === sorting.by && (sorting.isDescending ? 'descending' : 'ascending');
        return (
          <th key={text} scope="col" class={kind} aria-sort={order || undefined}>
            {by ? (
              <button type="button" class="sort" onClick={() => onSort(pressed(sorting, by))}>
                {text}
                <span aria-hidden="true">{order && (sorting.isDescending ? ' ↓' : ' ↑')}</span>
              </button>
            ) : (
              text
            )}
          </th>
        );
      })}
    </tr>
  </thead>
);

function Row({ execution, isHere }: { execution: Execution; isHere: boolean }) {
  const { jobId, execId, dueAt } = execution;
  return (
    <tr class={isHere ? 'here' : undefined}>
      <td>
        <Go to={paths.execution(jobId, execId)}>
          <Instant at={dueAt} show="full" />
        </Go>
      </td>
      <td>
        <Go to={paths.job(jobId)} class="job">
          {jobId}
        </Go>
      </td>
      <OutcomeCells execution={execution} />
    </tr>
  );
}
