import { type Execution, isTerminal, type TaskDetail } from '../../../client/browser';
import { call } from '../../api/client';
import { refresh } from '../../api/polling';
import { useCan } from '../../api/project';
import { useTask } from '../../api/workflows';
import { logsItself, type ShownTask, targetsOf } from '../../editor/workflow-boxes';
import { useAction } from '../../parts/action';
import { Card } from '../../parts/card';
import { Icon } from '../../parts/icons';
import { Instant } from '../../parts/instant';
import { LogLines } from '../../parts/log-lines';
import { attemptText, reasonText } from '../../parts/reason';
import { Loaded } from '../../parts/states';
import { Mark, shapeOf } from '../../parts/status-mark';
import { duration } from '../../time/format';
import { TaskInput } from '../workflows/task-definition';

interface TaskPanelProps {
  execution: Execution;
  taskId: string;
  /** Undefined until the version of the run is loaded. */
  definition: ShownTask | undefined;
  onChoose(taskId: string): void;
}

/** One task of a run: how it went, its attempts, its input and its answer, and what can be done. */
export function TaskPanel({ execution, taskId, definition, onChoose }: TaskPanelProps) {
  const task = useTask(execution, taskId);
  return (
    <Card
      part="task"
      title={definition?.name ?? taskId}
      more={
        <button
          type="button"
          class="btn bare small"
          aria-label="Close the task"
          onClick={() => onChoose(taskId)}
        >
          <Icon name="close" size={14} />
        </button>
      }
    >
      <Loaded query={task} height={280}>
        {(found) => (
          <div class="stack">
            <Facts task={found} onChoose={onChoose} />
            <Actions execution={execution} task={found} />
            {found.attemptList.length > 0 && <AttemptList attempts={found.attemptList} />}
            {found.result && (
              <div data-part="task-answer">
                <h3>Response{found.result.statusCode !== null && ` ${found.result.statusCode}`}</h3>
                <pre class="code">{found.result.body ?? 'no body'}</pre>
              </div>
            )}
            {definition && targetsOf(definition).some(logsItself) && found.startedAt && (
              <div data-part="task-log">
                <h3>Log</h3>
                <LogLines
                  of={{ jobId: execution.jobId, execId: execution.execId, taskId }}
                  isOpen={!isTerminal(execution) && found.finishedAt === null}
                />
              </div>
            )}
            {definition && <TaskInput definition={definition} />}
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function Facts({ task, onChoose }: { task: TaskDetail; onChoose(taskId: string): void }) {
  const { status, reason, because, dependsOn, startedAt, finishedAt } = task;
  const links = (ids: readonly string[]) =>
    ids.map((id) => (
      <button key={id} type="button" class="link" onClick={() => onChoose(id)}>
        {id}
      </button>
    ));
  return (
    <dl class="facts">
      <dt>Status</dt>
      <dd>
        <Mark status={shapeOf(status)} text={status} />
        {reason && `, ${reasonText(reason)}`}
      </dd>
      {because.length > 0 && (
        <>
          <dt>{status === 'waiting' ? 'Waits for' : 'Because of'}</dt>
          <dd>{links(because)}</dd>
        </>
      )}
      {dependsOn.length > 0 && (
        <>
          <dt>Depends on</dt>
          <dd>{links(dependsOn)}</dd>
        </>
      )}
      {startedAt && (
        <>
          <dt>Ran</dt>
          <dd>
            <Instant at={startedAt} show="full" />
            {finishedAt && ` for ${duration(Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt)))}`}
          </dd>
        </>
      )}
      <MoreFacts task={task} />
    </dl>
  );
}

const MoreFacts = ({ task: { round, heartbeatAt, nextAttemptAt } }: { task: TaskDetail }) => (
  <>
    {nextAttemptAt && (
      <>
        <dt>Next attempt</dt>
        <dd>
          <Instant at={nextAttemptAt} show="full" />
        </dd>
      </>
    )}
    {round > 0 && (
      <>
        <dt>Round</dt>
        <dd>{round}</dd>
      </>
    )}
    {heartbeatAt && (
      <>
        <dt>Heartbeat</dt>
        <dd>
          <Instant at={heartbeatAt} show="sec" />
        </dd>
      </>
    )}
  </>
);

/** What waits for an attempt or runs can be cancelled. */
const CANCELLABLE: readonly string[] = ['queued', 'retrying', 'running'];

function Actions({ execution: { jobId, execId }, task }: { execution: Execution; task: TaskDetail }) {
  const can = useCan();
  const cancel = useAction(async () => {
    await call((api) => api.tasks.cancel(jobId, execId, task.taskId));
    await Promise.all([refresh('tasks'), refresh('task'), refresh('execution')]);
    return `${task.taskId} is cancelled. Its failure counts.`;
  });
  if (!can('runs:operate') || !CANCELLABLE.includes(task.status)) return null;
  return (
    <p class="acts">
      <button type="button" class="btn small" disabled={cancel.isBusy} onClick={() => void cancel.run()}>
        Cancel the task
      </button>
    </p>
  );
}

const AttemptList = ({ attempts }: { attempts: TaskDetail['attemptList'] }) => (
  <div data-part="task-attempts">
    <h3>Attempts</h3>
    <div class="scroll" tabIndex={0} role="region" aria-label="Attempts of the task">
      <table class="tight">
        <thead>
          <tr>
            <th scope="col">Attempt</th>
            <th scope="col">Started</th>
            <th scope="col" class="num">
              Took
            </th>
            <th scope="col">Response</th>
          </tr>
        </thead>
        <tbody>
          {attempts.map((attempt, index) => (
            <tr key={index}>
              <td>
                <Mark
                  status={attempt.outcome === 'succeeded' ? 'succeeded' : 'failed'}
                  text={attempt.outcome}
                  bare
                />{' '}
                {attempt.attempt}
              </td>
              <td>
                <Instant at={attempt.startedAt} show="sec" />
              </td>
              <td class="num">
                {duration(Math.max(0, Date.parse(attempt.finishedAt) - Date.parse(attempt.startedAt)))}
              </td>
              <td class="prose">{attemptText(attempt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </div>
);
