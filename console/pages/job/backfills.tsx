import { useState } from 'preact/hooks';

import type { JobWithEtag } from '../../../client/browser';
import { useBackfills } from '../../api/backfills';
import { useCan } from '../../api/project';
import { useQueryValues } from '../../app/go';
import { BackfillTable } from '../../parts/backfill-table';
import { Card } from '../../parts/card';
import { Empty, Loaded } from '../../parts/states';
import { BackfillDialog } from './backfill-dialog';

/** The backfills of a job, and a form for another one. */
export function Backfills({ job }: { job: JobWithEtag }) {
  const backfills = useBackfills(job.jobId);
  const { query, put } = useQueryValues();
  const [from, to] = [query.get('from'), query.get('to')];
  const [isAsked, ask] = useState(from !== null);
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
            <BackfillTable backfills={found} />
          )
        }
      </Loaded>
      {isAsked && can('jobs:write') && (
        <BackfillDialog
          job={job}
          range={from && to ? { from, to } : undefined}
          onClose={() => {
            ask(false);
            put({ from: '', to: '' });
          }}
        />
      )}
    </Card>
  );
}
