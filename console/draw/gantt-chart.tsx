import type { ComponentChildren } from 'preact';

import type { TaskDetail } from '../../client/browser';
import { zone } from '../app/zone';
import { reasonText } from '../parts/reason';
import { useRowKeys } from '../parts/row-keys';
import { Mark, shapeOf } from '../parts/status-mark';
import { useWindowed } from '../parts/windowed';
import { clock, clockSec, duration, plural } from '../time/format';
import { type Axis, axisOf, type TaskRow } from './gantt';

const ROW_PX = 30;
const MINUTES_FROM_MS = 10 * 60_000;

interface GanttProps {
  rows: readonly TaskRow[];
  /** When the run was due or began, and by when it has to end. */
  startMs: number;
  endsAtMs: number | undefined;
  chosen: string | undefined;
  /** The attempts of the chosen task, if they are known. */
  attempts: TaskDetail['attemptList'] | undefined;
  onChoose(taskId: string): void;
}

/** When each task of a run was at work: a table whose cells are bars. */
export function Gantt({ rows, startMs, endsAtMs, chosen, attempts, onChoose }: GanttProps) {
  const axis = axisOf(rows, startMs);
  const { body, from, to } = useWindowed(rows.length, ROW_PX);
  const here = useRowKeys(rows.length, { open: (index) => onChoose(rows[index]!.taskId) });
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Tasks over time">
      <table class="gantt" aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">Task</th>
            <th scope="col">
              <AxisTicks axis={axis} />
            </th>
            <th scope="col" class="num">
              Took
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          <Gap rows={from} />
          {rows.slice(from, to).map((row, offset) => (
            <Row
              key={row.taskId}
              row={row}
              index={from + offset}
              axis={axis}
              endsAtMs={endsAtMs}
              isHere={here === from + offset}
              isChosen={row.taskId === chosen}
              attempts={row.taskId === chosen ? attempts : undefined}
              onChoose={() => onChoose(row.taskId)}
            />
          ))}
          <Gap rows={rows.length - to} />
        </tbody>
      </table>
    </div>
  );
}

const Gap = ({ rows }: { rows: number }) =>
  rows > 0 ? (
    <tr class="undrawn" aria-hidden="true" style={{ height: `${rows * ROW_PX}px` }}>
      <td colSpan={3} />
    </tr>
  ) : null;

const part = (at: number): string => `${(100 * at).toFixed(2)}%`;

function AxisTicks({ axis: { ticks, folded } }: { axis: Axis }) {
  const [first, last] = [ticks[0]?.ms ?? 0, ticks.at(-1)?.ms ?? 0];
  const text = last - first > MINUTES_FROM_MS ? clock : clockSec;
  return (
    <div class="axis">
      <span class="hidden">
        When it ran
        {folded.length > 0 && `; ${plural(folded.length, 'pause')} drawn shorter`}
      </span>
      {ticks.map(({ ms, at }) => (
        <span key={ms} aria-hidden="true" style={{ left: part(at) }}>
          {text(ms, zone.value)}
        </span>
      ))}
    </div>
  );
}

interface RowProps {
  row: TaskRow;
  index: number;
  axis: Axis;
  endsAtMs: number | undefined;
  isHere: boolean;
  isChosen: boolean;
  attempts: GanttProps['attempts'];
  onChoose(): void;
}

function Row({ row, index, axis, endsAtMs, isHere, isChosen, attempts, onChoose }: RowProps) {
  const { title, status, fromMs, toMs, isCritical } = row;
  const shape = shapeOf(status);
  // For the pointer alone: the name is a button.
  const onRowClick = ({ target }: MouseEvent): void => {
    if (!(target instanceof Element && target.closest('button, a'))) onChoose();
  };
  return (
    <tr
      aria-rowindex={index + 2}
      onClick={onRowClick}
      class={[isHere && 'here', isChosen && 'chosen', isCritical && 'critical'].filter(Boolean).join(' ')}
    >
      <th scope="row">
        <Mark status={shape} text={status} bare />
        <button type="button" class="link cut" aria-expanded={isChosen} onClick={onChoose}>
          {title}
        </button>
      </th>
      <td>
        <div class="lane">
          {fromMs === undefined || toMs === undefined ? (
            <Unstarted row={row} />
          ) : (
            <>
              <Grid axis={axis} endsAtMs={endsAtMs} />
              <Bars row={row} fromMs={fromMs} toMs={toMs} axis={axis} attempts={attempts} />
            </>
          )}
        </div>
      </td>
      <td class="num">{fromMs !== undefined && toMs !== undefined && duration(toMs - fromMs)}</td>
    </tr>
  );
}

/** What is behind the bars of a row. A row of words has none: lines would cross them. */
const Grid = ({ axis, endsAtMs }: Pick<RowProps, 'axis' | 'endsAtMs'>) => (
  <>
    {axis.ticks.map(({ ms, at }) => (
      <i key={ms} class="tick" style={{ left: part(at) }} />
    ))}
    {axis.folded.map(({ fromMs, toMs }) => (
      <i
        key={fromMs}
        class="fold"
        style={{ left: part(axis.at(fromMs)), width: part(axis.at(toMs) - axis.at(fromMs)) }}
      />
    ))}
    {endsAtMs !== undefined && axis.at(endsAtMs) < 1 && (
      <i class="deadline" style={{ left: part(axis.at(endsAtMs)) }} />
    )}
  </>
);

/** Why a task has no bar: the reason stands in its row. */
const Unstarted = ({ row: { status, reason, because } }: { row: TaskRow }) => (
  <span class="why">
    {status === 'approval' ? 'waits for an approval' : status}
    {reason && `: ${reasonText(reason)}`}
    {because.length > 0 && `, ${status === 'waiting' ? 'for' : 'by'} ${because.slice(0, 3).join(', ')}`}
    {because.length > 3 && ' and others'}
  </span>
);

interface BarsProps {
  row: TaskRow;
  fromMs: number;
  toMs: number;
  axis: Axis;
  attempts: GanttProps['attempts'];
}

function Bars({
  row: { status, attempts: tries, isOpen, isCritical },
  fromMs,
  toMs,
  axis,
  attempts,
}: BarsProps) {
  const words = `${clockSec(fromMs, zone.value)} to ${isOpen ? 'now' : clockSec(toMs, zone.value)}`;
  const several = attempts && attempts.length > 1;
  const bar = (key: number, a: number, b: number, name: string, title: string): ComponentChildren => (
    <i
      key={key}
      class={`bar ${name}`}
      title={title}
      style={{ left: part(axis.at(a)), width: part(axis.at(b) - axis.at(a)) }}
    />
  );
  return (
    <>
      <span class="hidden">
        {words}
        {tries > 1 && `, ${plural(tries, 'attempt')}`}
        {isCritical && ', on the critical path'}
      </span>
      {several
        ? attempts.map(({ attempt, startedAt, finishedAt, outcome }, index) =>
            bar(
              index,
              Date.parse(startedAt),
              Date.parse(finishedAt),
              outcome === 'succeeded' ? 'succeeded' : 'failed',
              `attempt ${attempt}: ${outcome}`,
            ),
          )
        : bar(0, fromMs, toMs, shapeOf(status), words)}
      {isCritical && (
        <i
          class="path"
          style={{ left: part(axis.at(fromMs)), width: part(axis.at(toMs) - axis.at(fromMs)) }}
        />
      )}
    </>
  );
}
