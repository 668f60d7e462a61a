import type { JobWithEtag } from '../../../client/browser';
import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { Tags, Title } from '../../parts/card';
import { PausedUntil } from '../../parts/instant';
import { Mark } from '../../parts/status-mark';
import { isRunnable } from '../../parts/target-text';
import { plural } from '../../time/format';
import { JobActions } from './actions';

const TABS = [
  ['', 'Ledger'],
  ['schedule', 'Schedule'],
  ['definition', 'Definition'],
  ['backfills', 'Backfills'],
  ['changes', 'Changes'],
  ['why', 'Why not?'],
] as const;

/** Name, state, actions and tabs of a job. */
export function JobHead({ job, tab }: { job: JobWithEtag; tab: string }) {
  const { jobId, name, tags, status, priority, pool, retry, pausedUntil } = job;
  return (
    <>
      <div class="crumbs">
        <Go to="/jobs">Jobs</Go> <span>/</span> <span class="mono">{jobId}</span>
      </div>
      <Title
        sub={
          <span class="facts-line">
            <Mark status={status} /> {pausedUntil && <PausedUntil at={pausedUntil} />} <Tags tags={tags} />
            {isRunnable(job) && (
              <span>
                {priority} · pool {pool} · up to {plural(retry.maxAttempts, 'attempt')}
              </span>
            )}
          </span>
        }
        actions={<JobActions job={job} />}
      >
        {name ?? jobId}
      </Title>
      <nav class="tabs" aria-label="Views of this job" data-part="tabs">
        {TABS.map(
          ([one, text]) =>
            (one !== 'backfills' || isRunnable(job)) && (
              <Go key={one} to={paths.job(jobId, one)} aria-current={one === tab ? 'page' : undefined}>
                {text}
              </Go>
            ),
        )}
        {job.workflow && <Go to={paths.workflow(jobId)}>Tasks and runs</Go>}
      </nav>
    </>
  );
}
