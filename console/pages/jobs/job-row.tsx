import type { JobSummary } from '../../../client/browser';
import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { MiniHistory } from '../../draw/history';
import { Tags } from '../../parts/card';
import { Icon } from '../../parts/icons';
import { Instant, PausedUntil, Relative } from '../../parts/instant';
import { Mark } from '../../parts/status-mark';
import { zoneOf } from '../../planning/short-form';
import { duration } from '../../time/format';

const LATE_MS = 1_000;

interface JobRowProps {
  job: JobSummary;
  words: string;
  index: number;
  isChosen: boolean;
  isHere: boolean;
  onChoose(): void;
}

export function JobRow({ job, words, index, isChosen, isHere, onChoose }: JobRowProps) {
  const { jobId, name, tags, status, schedule, nextFireAt, pausedUntil, history = [] } = job;
  const tz = zoneOf(schedule);
  const bareWords = words.replace(` (${tz})`, ''); // the zone stands below
  return (
    <tr aria-rowindex={index + 2} class={`${isChosen ? 'chosen' : ''} ${isHere ? 'here' : ''}`}>
      <td>
        <input type="checkbox" aria-label={`Choose ${jobId}`} checked={isChosen} onChange={onChoose} />
      </td>
      <td class="two">
        <Go to={paths.job(jobId)} class="job cut">
          {jobId}
        </Go>
        <small class="cut">
          {name} {job.kind === 'worker' && <QueueTag job={job} />} <Tags tags={tags} />
        </small>
      </td>
      <td class="two">
        <Mark status={status} />
        {pausedUntil && (
          <small>
            <PausedUntil at={pausedUntil} />
          </small>
        )}
      </td>
      <td class="two">
        <span class="cut" title={words}>
          {bareWords}
        </span>
        <small>{tz ?? (typeof schedule === 'string' && 'AWS')}</small>
      </td>
      <td class="two">
        {nextFireAt ? (
          <>
            <Instant at={nextFireAt} />
            <small>
              <Relative at={nextFireAt} />
            </small>
          </>
        ) : (
          <span class="quiet">–</span>
        )}
      </td>
      <td>
        <MiniHistory statuses={history.map((one) => one.status).reverse()} />
      </td>
      <LastCells last={job.lastExecution} jobId={jobId} />
    </tr>
  );
}

/** The queue in which its executions wait for workers. */
const QueueTag = ({ job: { targets } }: { job: JobSummary }) => (
  <span class="tag queue">
    <Icon name="workers" size={12} /> {targets[0]?.address}
  </span>
);

function LastCells({ last, jobId }: { last: JobSummary['lastExecution']; jobId: string }) {
  if (!last)
    return (
      <>
        <td class="quiet">–</td>
        <td />
      </>
    );
  const { status, dueAt, finishedAt, latenessMs, execId } = last;
  return (
    <>
      <td class="two">
        <Go to={paths.execution(jobId, execId)}>
          <Mark status={status} />
        </Go>
        <small>
          <Relative at={finishedAt ?? dueAt} />
        </small>
      </td>
      <td class={`num ${latenessMs !== null && latenessMs > LATE_MS ? 'late' : ''}`}>
        {latenessMs === null ? '' : duration(latenessMs)}
      </td>
    </>
  );
}
