import { type ShownTask, targetsOf, workWithoutTarget } from '../../editor/workflow-boxes';
import { Card } from '../../parts/card';
import { TargetName } from '../../parts/target-name';
import { plural } from '../../time/format';

/** The target and the input of a task, as its workflow defines them. Templates are shown as they are. */
export const TaskInput = ({ definition }: { definition: ShownTask }) => (
  <>
    <div data-part="task-target">
      <h3>Calls</h3>
      {targetsOf(definition).map((target, index) => (
        <p key={index} class="mono second">
          <TargetName target={target} />
        </p>
      ))}
      {targetsOf(definition).length === 0 && (
        <p class="quiet">
          {joins(definition)
            ? 'Nothing: it joins the tasks before it.'
            : `Nothing: it ${workWithoutTarget(definition)}.`}
        </p>
      )}
    </div>
    {definition.input !== undefined && (
      <div data-part="task-input">
        <h3>Input</h3>
        <pre class="code">{JSON.stringify(definition.input, null, 2)}</pre>
      </div>
    )}
  </>
);

const joins = (task: ShownTask): boolean => workWithoutTarget(task) === 'joins';

/** When a task starts at the earliest, and for which items it calls its target. */
const WhenAndFor = ({ task }: { task: ShownTask }) => (
  <>
    {task.delay && (
      <>
        <dt>Starts</dt>
        <dd>{task.delay} after it is ready</dd>
      </>
    )}
    {task.notBefore && (
      <>
        <dt>Not before</dt>
        <dd>{task.notBefore}</dd>
      </>
    )}
    {task.forEach && (
      <>
        <dt>For each of</dt>
        <dd>{itemsText(task.forEach.items)}</dd>
      </>
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
        <WhenAndFor task={task} />
        {task.enabled === false && (
          <>
            <dt>Enabled</dt>
            <dd>no: it counts as skipped</dd>
          </>
        )}
        {task.retry && (
          <>
            <dt>Retries</dt>
            <dd>{plural(task.retry.maxAttempts ?? 3, 'attempt')}</dd>
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

/** The items of a fan-out: a list, or a template that gives one. */
const itemsText = (items: string | readonly unknown[]): string =>
  typeof items === 'string' ? items : plural(items.length, 'item');

function dependsOnText({ dependsOn = [], join }: ShownTask): string {
  if (dependsOn.length === 0) return 'nothing';
  const words = dependsOn.map((one) => {
    if (typeof one === 'string') return one;
    return one.if === undefined || one.if === 'succeeded' ? one.task : `${one.task} if ${one.if}`;
  });
  return words.join(join === 'any' ? ' or ' : ', ');
}
