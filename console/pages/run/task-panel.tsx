import { useEffect } from 'preact/hooks';

import { type Execution, isTerminal, type TaskDetail } from '../../../client/browser';
import { useTask } from '../../api/workflows';
import { logsItself, type ShownTask, targetsOf } from '../../editor/workflow-boxes';
import { Card } from '../../parts/card';
import { Icon } from '../../parts/icons';
import { LogLines, ResponseLog } from '../../parts/log-lines';
import { Loaded } from '../../parts/states';
import { TaskInput } from '../workflows/task-definition';
import { AttemptList } from './attempt-list';
import { Facts } from './facts';
import { Items } from './items';
import { Awaited } from './other-jobs';
import { TaskActions } from './task-actions';

/** A narrow window has it below the chart: a reader who chose a task would see nothing happen. */
function showPanel(): void {
  const panel = document.querySelector('[data-part=task]');
  if (panel && panel.getBoundingClientRect().top > innerHeight - LEAST_SEEN_PX) panel.scrollIntoView();
}
const LEAST_SEEN_PX = 120;

interface TaskPanelProps {
  execution: Execution;
  taskId: string;
  /** Undefined until the version of the run is loaded. */
  definition: ShownTask | undefined;
  /** Whether a task of the run is an approval. */
  hasApproval: boolean;
  onChoose(taskId: string): void;
}

/** One task of a run: how it went, its attempts, its input and its answer, and what can be done. */
export function TaskPanel({ execution, taskId, definition, hasApproval, onChoose }: TaskPanelProps) {
  const task = useTask(execution, taskId);
  useEffect(showPanel, []);
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
            {definition?.approval?.note && <p class="second">{definition.approval.note}</p>}
            <TaskActions
              execution={execution}
              task={found}
              definition={definition}
              hasApproval={hasApproval}
            />
            {found.awaited && <Awaited awaited={found.awaited} />}
            {found.kind === 'forEach' && (
              <Items execution={execution} taskId={taskId} counts={found.items ?? null} />
            )}
            {found.attemptList.length > 0 && (
              <AttemptList attempts={found.attemptList} part="task-attempts" of="the task" />
            )}
            {found.result && (
              <div data-part="task-answer">
                <h3>Response{found.result.statusCode !== null && ` ${found.result.statusCode}`}</h3>
                <pre class="code">{found.result.body ?? 'no body'}</pre>
              </div>
            )}
            {definition && found.startedAt && (
              <Log execution={execution} task={found} logsItself={targetsOf(definition).some(logsItself)} />
            )}
            {definition && <TaskInput definition={definition} />}
          </div>
        )}
      </Loaded>
    </Card>
  );
}

interface LogProps {
  execution: Execution;
  task: TaskDetail;
  logsItself: boolean;
}

function Log({ execution, task: { taskId, result, finishedAt }, logsItself: hasLog }: LogProps) {
  const of = { jobId: execution.jobId, execId: execution.execId, taskId };
  const log = (
    <div data-part="task-log">
      <h3>Log</h3>
      <LogLines of={of} isOpen={!isTerminal(execution) && finishedAt === null} />
    </div>
  );
  return hasLog ? (
    log
  ) : (
    <ResponseLog of={of} result={result} finishedAt={finishedAt}>
      {log}
    </ResponseLog>
  );
}
