import type { RunWithTasks } from '../../api/workflows';
import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { now } from '../../app/now';
import { rowsOf, type TaskRow } from '../../draw/gantt';
import { zone } from '../../app/zone';
import { Mark, shapeOf } from '../../parts/status-mark';
import { useWindowed } from '../../parts/windowed';
import { clock, day, duration } from '../../time/format';

const ROW_PX = 30;

/** Tasks by runs, the newest run at the right. The rows are those of the Gantt chart. */
export function RunsGrid({ runs }: { runs: readonly RunWithTasks[] }) {
  const byRun = runs.map(({ tasks }) => new Map(rowsOf(tasks, now.peek()).map((row) => [row.taskId, row])));
  // The newest run has the tasks of now; what older versions had beside them comes after.
  const titles = new Map(
    byRun
      .toReversed()
      .flatMap((rows) => [...rows.values()].map(({ taskId, title }) => [taskId, title] as const)),
  );
  const ids = [...titles.keys()];
  const { body, from, to } = useWindowed(ids.length, ROW_PX);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Tasks by runs">
      <table class="runs" aria-rowcount={ids.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">Task</th>
            {runs.map(({ run }) => (
              <th key={run.execId} scope="col">
                <RunLink run={run} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          <Gap rows={from} columns={runs.length + 1} />
          {ids.slice(from, to).map((taskId, offset) => (
            <tr key={taskId} aria-rowindex={from + offset + 2}>
              <th scope="row" class="cut">
                {titles.get(taskId)}
              </th>
              {runs.map(({ run }, index) => (
                <td key={run.execId}>
                  <Cell row={byRun[index]!.get(taskId)} run={run} />
                </td>
              ))}
            </tr>
          ))}
          <Gap rows={ids.length - to} columns={runs.length + 1} />
        </tbody>
      </table>
    </div>
  );
}

const Gap = ({ rows, columns }: { rows: number; columns: number }) =>
  rows > 0 ? (
    <tr class="undrawn" aria-hidden="true" style={{ height: `${rows * ROW_PX}px` }}>
      <td colSpan={columns} />
    </tr>
  ) : null;

type Run = RunWithTasks['run'];

function RunLink({ run: { jobId, execId, dueAt, status } }: { run: Run }) {
  const ms = Date.parse(dueAt);
  return (
    <Go to={paths.execution(jobId, execId)}>
      <Mark status={status} bare />
      <span class="run-day">{day(ms, zone.value, now.value).replace(/^\w+ /, '')}</span>
      <span class="run-day">{clock(ms, zone.value)}</span>
    </Go>
  );
}

function Cell({ row, run: { jobId, execId } }: { row: TaskRow | undefined; run: Run }) {
  if (!row) return <span class="hidden">not in this version</span>;
  const took =
    row.fromMs === undefined || row.toMs === undefined ? '' : `, ${duration(row.toMs - row.fromMs)}`;
  return (
    <Go
      to={`${paths.execution(jobId, execId)}?task=${encodeURIComponent(row.taskId)}`}
      aria-label={`${row.title}: ${row.status}${took}`}
    >
      <Mark status={shapeOf(row.status)} bare />
    </Go>
  );
}
