import type { Execution, TaskState, WorkflowVersion } from '../../../client/browser';
import { isTerminal } from '../../../client/browser';
import { isBackfill } from '../../api/backfills';
import { useJob, useStats } from '../../api/jobs';
import { useTask, useTasks, useVersion } from '../../api/workflows';
import { useQueryValues } from '../../app/go';
import { now } from '../../app/now';
import { Gantt } from '../../draw/gantt-chart';
import { rowsOf, type TaskRow, waitsForOf } from '../../draw/gantt';
import { Graph } from '../../draw/graph';
import type { GraphBox } from '../../draw/graph-layout';
import { Card, Title } from '../../parts/card';
import { Instant, Relative } from '../../parts/instant';
import { reasonText } from '../../parts/reason';
import { Loaded } from '../../parts/states';
import { Mark, shapeOf } from '../../parts/status-mark';
import { paceText } from '../../parts/took';
import { TraceFact } from '../execution/trace-fact';
import { duration, plural, roughly } from '../../time/format';
import { BackfillRun } from './backfill-run';
import { RunActions } from './run-actions';
import { endedText } from '../../parts/item-counts';
import { selectedRows, TaskFilter } from './task-filter';
import { TaskPanel } from './task-panel';

type Run = NonNullable<Execution['workflow']>;

/** A run: of a workflow, or of a backfill. */
export default function RunPage({ execution }: { execution: Execution }) {
  return isBackfill(execution) ? (
    <BackfillRun execution={execution} />
  ) : (
    <WorkflowRun execution={execution} run={execution.workflow!} />
  );
}

/** A run of a workflow: its graph, its tasks over time, and one task with its attempts. */
function WorkflowRun({ execution, run }: { execution: Execution; run: Run }) {
  const { query, put } = useQueryValues();
  const { data: job } = useJob(execution.jobId);
  const tasks = useTasks(execution);
  const { data: version } = useVersion(execution.jobId, run.version);
  const chosen = query.get('task') ?? undefined;
  const choose = (taskId: string) => put({ task: taskId === chosen ? '' : taskId, items: '' });
  return (
    <>
      <Title actions={<RunActions execution={execution} />}>
        {job?.name ?? execution.jobId}, <Instant at={execution.dueAt} />{' '}
        <Mark status={execution.status} size={18} />
        {run.phase === 'held' && <Mark status="held" text="paused" size={18} />}
      </Title>
      {/* Below the actions, which come later and would break its line. */}
      <p class="story">
        {(tasks.data || tasks.error) && <Story execution={execution} run={run} tasks={tasks.data} />}
      </p>
      {execution.trace && (
        <dl class="facts trace">
          <TraceFact trace={execution.trace} />
        </dl>
      )}
      <Loaded query={tasks} height={640}>
        {(found) => (
          <Found
            execution={execution}
            run={run}
            tasks={found}
            version={version}
            chosen={found.some(({ taskId }) => taskId === chosen) ? chosen : undefined}
            onChoose={choose}
          />
        )}
      </Loaded>
    </>
  );
}

const ENDED: readonly string[] = [
  'succeeded',
  'failed',
  'cancelled',
  'skipped',
  'excluded',
  'blocked',
  'stopped',
];

/** `6 of 10 tasks ended · 1 failed · 3 waiting` */
function Story({
  execution,
  run,
  tasks,
}: {
  execution: Execution;
  run: Run;
  tasks: TaskState[] | undefined;
}) {
  const { data: stats } = useStats(execution.jobId);
  const of = (...statuses: string[]) => tasks?.filter(({ status }) => statuses.includes(status)).length ?? 0;
  const waitingFor = (one: TaskRow['waitsFor']) =>
    tasks?.filter((task) => waitsForOf(task) === one).length ?? 0;
  const atWork = of('running', 'retrying', 'queued') - waitingFor('a user') - waitingFor('another job');
  const parts = [
    tasks && `${of(...ENDED)} of ${plural(tasks.length, 'task')} ended`,
    of('failed') > 0 && `${of('failed')} failed`,
    atWork > 0 && `${atWork} at work`,
    ...(['a user', 'another job'] as const).map(
      (one) =>
        waitingFor(one) > 0 && `${waitingFor(one)} ${waitingFor(one) === 1 ? 'waits' : 'wait'} for ${one}`,
    ),
    of('waiting') > 0 && `${of('waiting')} waiting`,
    run.heldAt && `paused for ${roughly(Math.max(0, now.value - Date.parse(run.heldAt)))}`,
    execution.reason && reasonText(execution.reason),
    execution.pace && `took ${paceText(execution)}`,
    run.stopping && !isTerminal(execution) && `is stopping: ${reasonText(run.stopping.reason)}`,
    `version ${run.number}`,
  ].filter(Boolean);
  return (
    <>
      {parts.join(' · ')}
      {isTerminal(execution) ? (
        execution.finishedAt && (
          <>
            {' '}
            · ended <Relative at={execution.finishedAt} />
          </>
        )
      ) : (
        <>
          {' '}
          · has to end by <Instant at={run.endsAt} />
        </>
      )}
      {/* It comes last, so it stands last. */}
      {stats?.durationMs && ` · usual length ${duration(stats.durationMs.p50)}`}
    </>
  );
}

interface FoundProps {
  execution: Execution;
  run: Run;
  tasks: TaskState[];
  version: WorkflowVersion | undefined;
  chosen: string | undefined;
  onChoose(taskId: string): void;
}

function Found({ execution, run, tasks, version, chosen, onChoose }: FoundProps) {
  const { query } = useQueryValues();
  const { data: detail } = useTask(execution, chosen ?? '');
  const nowMs = isTerminal(execution) ? Date.parse(execution.finishedAt ?? run.startedAt) : now.value;
  const rows = rowsOf(tasks, nowMs);
  return (
    <>
      <Card part="graph" title="Graph" more={<StatusLegend rows={rows} />}>
        <Graph boxes={boxesOf(tasks, rows, version)} chosen={chosen} onChoose={onChoose} />
      </Card>
      <div class={chosen === undefined ? 'run-grid' : 'run-grid with-panel'}>
        <Card part="gantt" title="Tasks over time" more={<CriticalLegend rows={rows} />} flush>
          <TaskFilter rows={rows} />
          <Gantt
            rows={selectedRows(rows, query)}
            startMs={Date.parse(run.startedAt)}
            endsAtMs={Date.parse(run.endsAt)}
            chosen={chosen}
            attempts={detail?.taskId === chosen ? detail?.attemptList : undefined}
            onChoose={onChoose}
          />
        </Card>
        {chosen !== undefined && (
          <TaskPanel
            key={chosen}
            execution={execution}
            taskId={chosen}
            definition={version?.workflow?.tasks[chosen]}
            hasApproval={tasks.some(({ kind }) => kind === 'approval')}
            onChoose={onChoose}
          />
        )}
      </div>
    </>
  );
}

/** The statuses that this run has. */
const StatusLegend = ({ rows }: { rows: readonly TaskRow[] }) => (
  <span class="legend" aria-hidden="true">
    {[...new Set(rows.map(({ status }) => status))].map((status) => (
      <Mark key={status} status={shapeOf(status)} text={status} />
    ))}
  </span>
);

function CriticalLegend({ rows }: { rows: readonly TaskRow[] }) {
  const critical = rows.filter(({ isCritical }) => isCritical).map(({ taskId }) => taskId);
  return (
    <span class="legend">
      <span title={critical.join(', ')}>
        <i class="swatch path" />
        critical path
        <span class="hidden">: {critical.join(', ') || 'none yet'}</span>
      </span>
    </span>
  );
}

/** The tasks as boxes. The conditions of the dependencies are known once the version is. */
function boxesOf(
  tasks: readonly TaskState[],
  rows: readonly TaskRow[],
  version: WorkflowVersion | undefined,
): GraphBox[] {
  return tasks.map(({ taskId, name, dependsOn, items, finally: end }, index) => {
    const { fromMs, toMs, attempts, status, waitsFor } = rows[index]!;
    const state = waitsFor ? `waits for ${waitsFor}` : status;
    const length = fromMs === undefined || toMs === undefined ? state : duration(toMs - fromMs);
    const tried = attempts > 1 ? `${length} · ${attempts} attempts` : length;
    return {
      taskId,
      title: name ?? taskId,
      status,
      text: items ? `${endedText(items)} · ${length}` : tried,
      dependsOn:
        version?.workflow?.tasks[taskId]?.dependsOn ?? dependsOn.map((task) => ({ task, if: 'succeeded' })),
      isFinally: end !== undefined,
    };
  });
}
