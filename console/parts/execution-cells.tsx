import type { Execution } from '../../client/browser';
import { paths } from '../app/address';
import { Go } from '../app/go';
import { duration } from '../time/format';
import { Instant } from './instant';
import { whyOrHow } from './reason';
import { Mark } from './status-mark';
import { paceText, tookText } from './took';

const LATE_MS = 1_000;

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

/** Cells of what became of an execution: its status, why or how, how long it took, and how late it was. */
export function OutcomeCells({ execution }: { execution: Execution }) {
  const { status, latenessMs } = execution;
  const isLate = latenessMs !== null && latenessMs > LATE_MS;
  return (
    <>
      <td>
        <Mark status={status} />
      </td>
      <td class="prose">{whyOrHow(execution)}</td>
      <td class={`num ${execution.pace ? 'late' : ''}`} title={paceText(execution)}>
        {tookText(execution)}
      </td>
      <td class={`num ${isLate ? 'late' : ''}`}>{latenessMs === null ? '' : duration(latenessMs)}</td>
    </>
  );
}

interface OpenProps {
  execution: { jobId: string; execId: string; dueAt: string };
}

/** Leads from its row to an execution. */
export const Open = ({ execution: { jobId, execId, dueAt } }: OpenProps) => (
  <Go to={paths.execution(jobId, execId)} aria-label={`Open ${jobId} of ${dueAt}`}>
    Open
  </Go>
);
