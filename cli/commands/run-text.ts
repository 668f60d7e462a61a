import type { Execution, TaskState } from '../../client';
import type { Context } from '../context';
import { statusText } from '../terminal/style';
import { singleLine } from '../terminal/printable';
import { texts } from '../terminal/table';
import { instantText, spanText } from '../terminal/times';
import { executionText } from './execution-text';
import { whyText } from './why-text';

const BAR_WIDTH = 24;
const SECOND_MS = 1_000;

/** A run with its tasks: a tree by dependencies, each with a bar of the time in which it ran. */
export function runText(
  execution: Execution,
  tasks: readonly TaskState[],
  { style, table, fields }: Pick<Context, 'style' | 'table' | 'fields'>,
  zone?: string,
): string {
  const workflow = execution.workflow!;
  const counts = Object.entries(workflow.counts ?? {}).filter(([, count]) => count > 0);
  const head = fields([
    ['workflow', `version ${workflow.number} (${workflow.version}), ${workflow.phase}`],
    ['ends at', `${instantText(workflow.endsAt)}Z at the latest`],
    ['stopping', workflow.stopping ? `${workflow.stopping.reason}` : undefined],
    ['tasks', counts.map(([status, count]) => `${count} ${status}`).join(', ')],
  ]);
  const depths = depthsOf(tasks);
  const fromMs = Date.parse(workflow.startedAt);
  const toMs = Math.max(
    fromMs + SECOND_MS,
    ...tasks.map(({ finishedAt }) => (finishedAt ? Date.parse(finishedAt) : 0)),
  );
  const rows = tasks.map((task) => [
    `${'  '.repeat(depths.get(task.taskId)!)}${task.taskId}`,
    [statusText(task.status, style), itemsText(task)].filter(Boolean).join(' '),
    barOf(task, fromMs, toMs),
    durationText(task),
    singleLine(
      [
        whyText(task),
        task.because.length > 0 ? `by ${task.because.join(', ')}` : '',
        task.child?.execId ? `→ ${task.child.jobId} ${task.child.execId}` : '',
      ]
        .filter(Boolean)
        .join(' '),
    ),
  ]);
  const heads = ['TASK', 'STATUS', { head: 'TIME', spare: 1 }, 'TOOK', texts('WHY')];
  return `${executionText(execution, { style, table, fields }, zone)}\n${head}\n${table(heads, rows)}`;
}

/** `37/1000`: how many items of a task have ended. */
export function itemsText({ items }: Pick<TaskState, 'items'>): string {
  if (!items) return '';
  const ended = items.succeeded + items.failed + items.cancelled;
  const failed = items.failed > 0 ? `, ${items.failed} failed` : '';
  return `${ended}/${items.count}${failed}`;
}

/** How many tasks lie before each one on its longest path. The tasks come after what they depend on. */
function depthsOf(tasks: readonly TaskState[]): Map<string, number> {
  const depths = new Map<string, number>();
  for (const { taskId, dependsOn } of tasks)
    depths.set(taskId, Math.max(0, ...dependsOn.map((upstream) => (depths.get(upstream) ?? 0) + 1)));
  return depths;
}

function barOf({ startedAt, finishedAt }: TaskState, fromMs: number, toMs: number): string {
  if (!startedAt) return ''.padEnd(BAR_WIDTH, '·');
  const at = (instant: string) =>
    Math.min(BAR_WIDTH - 1, Math.floor(((Date.parse(instant) - fromMs) / (toMs - fromMs)) * BAR_WIDTH));
  const first = Math.max(0, at(startedAt));
  const last = finishedAt ? Math.max(first, at(finishedAt)) : BAR_WIDTH - 1;
  return '·'.repeat(first) + '█'.repeat(last - first + 1) + '·'.repeat(BAR_WIDTH - 1 - last);
}

function durationText({ startedAt, finishedAt }: TaskState): string {
  if (!startedAt || !finishedAt) return '';
  return spanText(Date.parse(finishedAt) - Date.parse(startedAt));
}
