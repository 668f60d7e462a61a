import { paths } from '../app/address';
import { Go } from '../app/go';
import { Instant } from './instant';

/** The cells of an execution in a table of several jobs: its job, and when it was due. */
export const JobAndDue = ({ jobId, dueAt }: { jobId: string; dueAt: string }) => (
  <>
    <td>
      <Go to={paths.job(jobId)} class="job">
        {jobId}
      </Go>
    </td>
    <td>
      <Instant at={dueAt} show="full" />
    </td>
  </>
);

interface OpenProps {
  execution: { jobId: string; execId: string; dueAt: string };
}

/** Leads from its row to an execution. */
export const Open = ({ execution: { jobId, execId, dueAt } }: OpenProps) => (
  <Go to={paths.execution(jobId, execId)} aria-label={`Open ${jobId} of ${dueAt}`}>
    Open
  </Go>
);
