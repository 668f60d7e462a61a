import type { Backfill } from '../../client/browser';
import { paths } from '../app/address';
import { Go } from '../app/go';
import { CountsBar } from './counts-bar';
import { Instant, Relative } from './instant';
import { reasonText } from './reason';
import { Mark } from './status-mark';
import { Table } from './table';

interface BackfillTableProps {
  backfills: readonly Backfill[];
  /** They are of many jobs, so each is listed with its own. */
  withJob?: boolean;
  /** The row at which the keyboard is. */
  here?: number;
}

/** Backfills, each with its range, how far it is, and who asked for it. */
export const BackfillTable = ({ backfills, withJob = false, here = -1 }: BackfillTableProps) => (
  <Table
    label="Table of backfills"
    class="backfills"
    heads={[withJob ? 'Job and range' : 'Range', 'Status', 'Dates', 'Asked for']}
  >
    {backfills.map((one, index) => (
      <Row key={`${one.jobId}/${one.execId}`} backfill={one} withJob={withJob} isHere={index === here} />
    ))}
  </Table>
);

interface RowProps {
  backfill: Backfill;
  withJob: boolean;
  isHere: boolean;
}

function Row({ backfill, withJob, isHere }: RowProps) {
  const { jobId, execId, from, to, status, reason, heldAt, parallel, order, items, createdAt, by } = backfill;
  const range = (
    <>
      <Instant at={from} show="date" /> to <Instant at={to} show="date" />
    </>
  );
  return (
    <tr class={isHere ? 'here' : undefined}>
      <td class="two">
        <Go to={paths.execution(jobId, execId)} class="job">
          {withJob ? jobId : range}
        </Go>
        <small>
          {withJob ? range : `${parallel} at once, ${order === 'asc' ? 'oldest' : 'newest'} first`}
        </small>
      </td>
      <td class="two">
        {heldAt ? <Mark status="held" text="paused" /> : <Mark status={status} />}
        {reason && <small>{reasonText(reason)}</small>}
      </td>
      <td class="two">
        <CountsBar counts={items} />
      </td>
      <td class="two">
        <Relative at={createdAt} />
        <small>
          <Instant at={createdAt} />
          {by && `, ${by.name ?? by.sub}`}
        </small>
      </td>
    </tr>
  );
}
