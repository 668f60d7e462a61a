import type { TaskDetail } from '../../../client/browser';
import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { Instant } from '../../parts/instant';
import { Mark, shapeOf } from '../../parts/status-mark';

/** The execution that a task has started, once there is one. */
export const Child = ({ child: { jobId, execId } }: { child: NonNullable<TaskDetail['child']> }) =>
  execId === null ? (
    <Go to={paths.job(jobId)} class="mono">
      {jobId}
    </Go>
  ) : (
    <Go to={paths.execution(jobId, execId)} class="mono">
      {jobId}/{execId}
    </Go>
  );

/** What a task waits for in another job: its executions in a window, each with its status. */
export const Awaited = ({ awaited }: { awaited: NonNullable<TaskDetail['awaited']> }) => (
  <div data-part="task-awaited">
    <h3>
      Waits for <Go to={paths.job(awaited.jobId)}>{awaited.jobId}</Go>
    </h3>
    <p class="second">
      Due from <Instant at={awaited.from} /> to before <Instant at={awaited.to} />
    </p>
    <ul class="plain">
      {awaited.occurrences.map(({ dueAt, execId, status }) => (
        <li key={dueAt + String(execId)}>
          <Mark status={shapeOf(status ?? 'scheduled')} text={status ?? 'not begun'} />{' '}
          {execId !== null && status !== null ? (
            <Go to={paths.execution(awaited.jobId, execId)}>
              <Instant at={dueAt} />
            </Go>
          ) : (
            <Instant at={dueAt} />
          )}
        </li>
      ))}
    </ul>
    {awaited.occurrences.length === 0 && <p class="quiet">Nothing is planned or on record there.</p>}
  </div>
);
