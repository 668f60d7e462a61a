import { type ShownTask, targetsOf } from '../../editor/workflow-boxes';
import { Card } from '../../parts/card';
import { targetText } from '../../parts/target-text';

/** The target and the input of a task, as its workflow defines them. Templates are shown as they are. */
export const TaskInput = ({ definition }: { definition: ShownTask }) => (
  <>
    <div data-part="task-target">
      <h3>Calls</h3>
      {targetsOf(definition).map((target, index) => (
        <p key={index} class="mono second">
          {targetText(target)}
        </p>
      ))}
      {targetsOf(definition).length === 0 && <p class="quiet">Nothing: it joins the tasks before it.</p>}
    </div>
    {definition.input !== undefined && (
      <div data-part="task-input">
        <h3>Input</h3>
        <pre class="code">{JSON.stringify(definition.input, null, 2)}</pre>
      </div>
    )}
  </>
);

/** A task of a definition, in words. */
export const TaskCard = ({ taskId, task }: { taskId: string; task: ShownTask }) => (
  <Card part="task-definition" title={task.name ?? taskId}>
    <div class="stack">
      <dl class="facts">
        {task.note && (
          <>
            <dt>Note</dt>
            <dd>{task.note}</dd>
          </>
        )}
        {task.finally ? (
          <>
            <dt>Runs</dt>
            <dd>at the end: {task.finally === 'always' ? 'always' : `if the run has ${task.finally}`}</dd>
          </>
        ) : (
          <>
            <dt>Depends on</dt>
            <dd>{dependsOnText(task)}</dd>
          </>
        )}
        <dt>Its failure</dt>
        <dd>{task.allowFailure ? 'is allowed' : 'fails the run'}</dd>
        {task.enabled === false && (
          <>
            <dt>Enabled</dt>
            <dd>no: it counts as skipped</dd>
          </>
        )}
        {task.retry && (
          <>
            <dt>Retries</dt>
            <dd>{task.retry.maxAttempts ?? 3} attempts</dd>
          </>
        )}
        {task.timeout && (
          <>
            <dt>Time limit</dt>
            <dd>{task.timeout}</dd>
          </>
        )}
      </dl>
      <TaskInput definition={task} />
    </div>
  </Card>
);

function dependsOnText({ dependsOn = [], join }: ShownTask): string {
  if (dependsOn.length === 0) return 'nothing';
  const words = dependsOn.map((one) => {
    if (typeof one === 'string') return one;
    return one.if === undefined || one.if === 'succeeded' ? one.task : `${one.task} if ${one.if}`;
  });
  return words.join(join === 'any' ? ' or ' : ', ');
}
