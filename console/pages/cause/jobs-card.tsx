import { useState } from 'preact/hooks';

import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { Card } from '../../parts/card';
import { Open } from '../../parts/execution-cells';
import { Instant } from '../../parts/instant';
import { Headings } from '../../parts/table';
import { count, plural } from '../../time/format';
import type { CauseJob } from './counts';

const FIRST_ROWS = 10;

/** The jobs that a cause is about. */
export function JobsCard({ jobs, isAll }: { jobs: readonly CauseJob[]; isAll: boolean }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? jobs : jobs.slice(0, FIRST_ROWS);
  return (
    <Card part="cause-jobs" title={`${isAll ? '' : 'At least '}${plural(jobs.length, 'job')}`} flush>
      <div class="scroll" tabIndex={0} role="region" aria-label="Jobs of this cause">
        <table class="tight">
          <thead>
            <tr>
              <Headings of={['Job', 'Failed so', 'Last', ['Actions', 'hidden']]} />
            </tr>
          </thead>
          <tbody>
            {shown.map(({ jobId, times, latest }) => (
              <tr key={jobId}>
                <td>
                  <Go to={paths.job(jobId)} class="job">
                    {jobId}
                  </Go>
                </td>
                <td>{count(times)} ×</td>
                <td>
                  <Instant at={latest.finishedAt ?? latest.dueAt} show="recent" />
                </td>
                <td class="num">
                  <Open execution={latest} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < jobs.length && (
        <p class="more-rows">
          <button type="button" class="btn small" onClick={() => setWhole(true)}>
            {count(jobs.length - shown.length)} more
          </button>
        </p>
      )}
    </Card>
  );
}
