import type { ComponentChildren } from 'preact';

import type { TaskDetail } from '../../../client/browser';
import { Instant } from '../../parts/instant';
import { ProgressLine } from '../../parts/progress-line';
import { reasonText } from '../../parts/reason';
import { Mark, shapeOf } from '../../parts/status-mark';
import { duration } from '../../time/format';
import { awaitsApproval } from './allowed';
import { Child } from './other-jobs';

interface FactsProps {
  task: TaskDetail;
  onChoose(taskId: string): void;
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

/** How a task is, why, and what it has to do with other tasks and jobs. */
export function Facts({ task, onChoose }: FactsProps) {
  const { status, reason, because, dependsOn, branch, child } = task;
  const links = (ids: readonly string[]) =>
    ids.map((id) => (
      <button key={id} type="button" class="link" onClick={() => onChoose(id)}>
        {id}
      </button>
    ));
  return (
    <dl class="facts">
      <Fact name="Status">
        {awaitsApproval(task) ? (
          <Mark status="approval" text="waits for an approval" />
        ) : (
          <Mark status={shapeOf(status)} text={status} />
        )}
        {reason && `, ${reasonText(reason)}`}
      </Fact>
      {because.length > 0 && (
        <Fact name={status === 'waiting' ? 'Waits for' : 'Because of'}>{links(because)}</Fact>
      )}
      {dependsOn.length > 0 && <Fact name="Depends on">{links(dependsOn)}</Fact>}
      {branch && <Fact name="Branch">{branch}</Fact>}
      {child && (
        <Fact name="Starts">
          <Child child={child} />
        </Fact>
      )}
      <Decided task={task} />
      <Times task={task} />
    </dl>
  );
}

const Decided = ({ task: { decided, status } }: { task: TaskDetail }) =>
  decided ? (
    <Fact name={status === 'succeeded' ? 'Approved' : status === 'failed' ? 'Rejected' : 'Decided'}>
      {decided.by && `by ${decided.by.name ?? decided.by.sub}, `}
      <Instant at={decided.at} show="full" />
      {decided.comment && `: “${decided.comment}”`}
    </Fact>
  ) : null;

const Times = ({
  task: { startedAt, finishedAt, round, heartbeatAt, progress, nextAttemptAt },
}: {
  task: TaskDetail;
}) => (
  <>
    {startedAt && (
      <Fact name="Ran">
        <Instant at={startedAt} show="full" />
        {finishedAt && ` for ${duration(Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt)))}`}
      </Fact>
    )}
    {nextAttemptAt && (
      <Fact name="Next attempt">
        <Instant at={nextAttemptAt} show="full" />
      </Fact>
    )}
    {round > 0 && <Fact name="Round">{round}</Fact>}
    {progress && (
      <Fact name="Progress">
        <ProgressLine progress={progress} />
      </Fact>
    )}
    {heartbeatAt && (
      <Fact name="Heartbeat">
        <Instant at={heartbeatAt} show="sec" />
      </Fact>
    )}
  </>
);
