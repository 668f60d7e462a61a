import { useState } from 'preact/hooks';

import type { Backfill, JobWithEtag } from '../../../client/browser';
import { useBackfills } from '../../api/backfills';
import { useCan } from '../../api/project';
import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { Card } from '../../parts/card';
import { Instant } from '../../parts/instant';
import { countsText } from '../../parts/item-counts';
import { reasonText } from '../../parts/reason';
import { Empty, Loaded } from '../../parts/states';
import { Mark } from '../../parts/status-mark';
import { BackfillDialog } from './backfill-dialog';

/** The backfills of a job, and a form for another one. */
export function Backfills({ job }: { job: JobWithEtag }) {
  const backfills = useBackfills(job.jobId);
  const [isAsked, ask] = useState(false);
  const can = useCan();
  return (
    <Card
      part="backfills"
      title="Backfills"
      flush
      more={
        can('jobs:write') && (
          <button type="button" class="btn" onClick={() => ask(true)}>
            Backfill…
          </button>
        )
      }
    >
      <Loaded query={backfills} height={240}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="There are no backfills.">
              <p>A backfill runs the job once for each due time in a range.</p>
            </Empty>
          ) : (
            <Table backfills={found} />
          )
        }
      </Loaded>
      {isAsked && <BackfillDialog job={job} onClose={() => ask(false)} />}
    </Card>
  );
}

const Table = ({ backfills }: { backfills: readonly Backfill[] }) => (
  <div class="scroll" tabIndex={0} role="region" aria-label="Table of backfills">
    <table>
      <thead>
        <tr>
          <th scope="col">Range</th>
          <th scope="col">Status</th>
          <th scope="col">Dates</th>
          <th scope="col">Started</th>
        </tr>
      </thead>
      <tbody>
        {backfills.map(({ jobId, execId, from, to, status, reason, heldAt, items, createdAt, by }) => (
          <tr key={execId}>
            <td class="prose">
              <Go to={paths.execution(jobId, execId)}>
                <Instant at={from} show="year" /> to <Instant at={to} show="year" />
              </Go>
            </td>
            <td>{heldAt ? <Mark status="held" text="paused" /> : <Mark status={status} />}</td>
            <td class="prose">
              {countsText(items)}
              {reason && `, ${reasonText(reason)}`}
            </td>
            <td class="prose">
              <Instant at={createdAt} />
              {by && `, ${by.name ?? by.sub}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
