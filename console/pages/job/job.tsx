import { useEffect } from 'preact/hooks';

import type { JobWithEtag } from '../../../client/browser';
import { useJob } from '../../api/jobs';
import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { later } from '../../app/page';
import { scheduleZone } from '../../app/zone';
import { Note, Title } from '../../parts/card';
import { Icon } from '../../parts/icons';
import { Loaded } from '../../parts/states';
import { zoneOf } from '../../planning/short-form';
import { JobHead } from './head';
import { Ledger } from './ledger';
import { JobSide } from './side';
import { Why } from './why';

const TAB_PX = 480;

/** The ledger comes with the page, the other tabs when they are opened. */
const ScheduleTab = later(async () => (await import('./schedule')).ScheduleTab, TAB_PX);
const Definition = later(async () => (await import('./definition')).Definition, TAB_PX);
const Backfills = later(async () => (await import('./backfills')).Backfills, TAB_PX);
const Changes = later(async () => (await import('./changes')).Changes, TAB_PX);

interface JobProps {
  jobId: string;
  /** Empty: the ledger. */
  tab: string;
}

export default function Job({ jobId, tab }: JobProps) {
  const job = useJob(jobId);
  const zone = job.data ? (zoneOf(job.data.schedule) ?? 'UTC') : undefined;
  useEffect(() => {
    scheduleZone.value = zone;
  }, [zone, tab]);
  return (
    <Loaded query={job} height={640}>
      {(found) => (found ? <Present job={found} tab={tab} /> : <Gone jobId={jobId} />)}
    </Loaded>
  );
}

function Present({ job, tab }: { job: JobWithEtag; tab: string }) {
  return (
    <>
      <JobHead job={job} tab={tab} />
      {tab === 'schedule' ? (
        <ScheduleTab job={job} />
      ) : tab === 'definition' ? (
        <Definition job={job} />
      ) : tab === 'backfills' ? (
        <Backfills job={job} />
      ) : tab === 'changes' ? (
        <Changes jobId={job.jobId} job={job} />
      ) : tab === 'why' ? (
        <Why job={job} />
      ) : (
        <div class="job-grid">
          <Ledger jobId={job.jobId} job={job} />
          <JobSide job={job} />
        </div>
      )}
    </>
  );
}

/** History and changes outlive the job. */
function Gone({ jobId }: { jobId: string }) {
  return (
    <>
      <div class="crumbs">
        <Go to="/jobs">Jobs</Go> <span>/</span> <span class="mono">{jobId}</span>
      </div>
      <Title>{jobId}</Title>
      <div class="stack">
        <Note icon={<Icon name="info" />}>
          <span data-part="deleted">
            There is no such job now. What is left of its history and its changes stands below, until its
            retention ends. <Go to={paths.job(jobId, 'changes')}>A change can be restored.</Go>
          </span>
        </Note>
        <Ledger jobId={jobId} />
        <Changes jobId={jobId} />
      </div>
    </>
  );
}
