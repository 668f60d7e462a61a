import type { Backfill } from '../../client/browser';
import { paths } from '../app/address';
import { Go } from '../app/go';
import { CountsBar } from './counts-bar';
import { Instant, Relative } from './instant';
import { reasonText } from './reason';
import { Mark } from './status-mark';

interface BackfillTableProps {
  backfills: readonly Backfill[];
  /** They are of many jobs, so each is listed with its own. */
  withJob?: boolean;
  /** The row at which the keyboard is. */
  here?: number;
}

/** Backfills, each with its range, how far it is, and who asked for it. */
export const BackfillTable = ({ backfills, withJob = false, here = -1 }: BackfillTableProps) => (
  <div class="scroll" tabIndex={0} role="region" aria-label="Table of backfills">
    <table class="backfills">
      <thead>
        <tr>
          <th scope="col">{withJob ? 'Job and range' : 'Range'}</th>
          <th scope="col">Status</th>
          <th scope="col">Dates</th>
          <th scope="col">Asked for</th>
        </tr>
      </thead>
      <tbody>
        {backfills.map((one, index) => (
          <Row key={`${one.jobId}/${one.execId}`} backfill={one} withJob={withJob} isHere={index === here} />
        ))}
      </tbody>
    </table>
  </div>
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
