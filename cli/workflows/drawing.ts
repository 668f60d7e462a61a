import { plain } from '../terminal/table';
import type { Style } from '../terminal/style';
import type { DrawnTask } from './drawn-task';

/**
 * A workflow as lines for a terminal. Each task has a column. It stays open until the last task that depends
 * on it, and a row of connectors leads from there to that task:
 *
 *     ● extract
 *     ├─╮
 *     │ ● load
 *     ● │ check
 *     ├─╯
 *     ● report
 */
export function drawingOf(tasks: readonly DrawnTask[], style: Style): string {
  const main = tasks.filter((task) => task.finally === undefined);
  const last = tasks.filter((task) => task.finally !== undefined);
  const open = new Map<string, number>();
  for (const { dependsOn } of main)
    for (const from of new Set(dependsOn.map((edge) => edge.from))) open.set(from, (open.get(from) ?? 0) + 1);
  const columns = new Columns(open);
  const lines = main.flatMap((task) => {
    const { connectors, row } = columns.place(task);
    return [...(connectors === undefined ? [] : [connectors]), `${row} ${textOf(task, style)}`];
  });
  if (last.length > 0) lines.push('', style.dim('finally, after all others:'));
  for (const task of last) lines.push(`● ${textOf(task, style)}`);
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function textOf({ id, kind, notes, dependsOn, finally: when }: DrawnTask, style: Style): string {
  const conditions = dependsOn.flatMap(({ from, label }) => (label ? [`${from}: ${label}`] : []));
  const details = [kind, ...notes, ...conditions, ...(when === undefined ? [] : [when])];
  return `${style.strong(plain(id))}  ${style.dim(plain(details.join(', ')))}`;
}

const [LEFT, RIGHT, UP, DOWN] = [1, 2, 4, 8];
/** A character for each set of directions in which it leads. */
const LINES: Record<number, string> = {
  [LEFT | RIGHT]: '─',
  [UP | DOWN]: '│',
  [UP | RIGHT]: '╰',
  [UP | LEFT]: '╯',
  [DOWN | RIGHT]: '╭',
  [DOWN | LEFT]: '╮',
  [UP | DOWN | RIGHT]: '├',
  [UP | DOWN | LEFT]: '┤',
  [UP | LEFT | RIGHT]: '┴',
  [DOWN | LEFT | RIGHT]: '┬',
  [UP | DOWN | LEFT | RIGHT]: '┼',
};

class Columns {
  /** The task whose dependents are not all drawn yet, by column. */
  private readonly tasks: (string | undefined)[] = [];

  /** @param open how many tasks depend on each task, of those that are not drawn yet */
  constructor(private readonly open: Map<string, number>) {}

  /** Draws the next task: the row of connectors to it, if it needs one, and its own. */
  place({ id, dependsOn }: DrawnTask): { connectors: string | undefined; row: string } {
    const upstream = [...new Set(dependsOn.map(({ from }) => this.tasks.indexOf(from)))].sort(
      (a, b) => a - b,
    );
    const before = [...this.tasks];
    for (const column of upstream) {
      const task = before[column]!;
      const left = this.open.get(task)! - 1;
      this.open.set(task, left);
      if (left === 0) this.tasks[column] = undefined;
    }
    const own = this.columnFor(upstream);
    const after = this.tasks.with(own, id);
    const connectors = upstream.every((column) => column === own)
      ? undefined
      : connectorsOf({ upstream, own, before, after });
    const row = rowOf(after, own);
    this.tasks[own] = this.open.get(id) ? id : undefined;
    return { connectors, row };
  }

  /** That of an upstream task which has no further dependents, else a free one. */
  private columnFor(upstream: readonly number[]): number {
    const freed = upstream.find((column) => this.tasks[column] === undefined);
    if (freed !== undefined) return freed;
    const free = this.tasks.findIndex((task, column) => task === undefined && column > (upstream[0] ?? -1));
    if (free >= 0) return free;
    this.tasks.push(undefined);
    return this.tasks.length - 1;
  }
}

function connectorsOf(drawn: {
  upstream: readonly number[];
  own: number;
  before: readonly (string | undefined)[];
  after: readonly (string | undefined)[];
}): string {
  const { upstream, own, before, after } = drawn;
  const ends = [...upstream, own];
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  const cells = after.map((_, column) => {
    const passes = before[column] !== undefined && after[column] !== undefined;
    if (!ends.includes(column)) {
      if (passes) return '│';
      return column > first && column < last ? '─' : ' ';
    }
    const directions =
      (column > first ? LEFT : 0) |
      (column < last ? RIGHT : 0) |
      (upstream.includes(column) ? UP : 0) |
      (after[column] !== undefined ? DOWN : 0);
    return LINES[directions]!;
  });
  return cells.map((cell, column) => `${cell}${column >= first && column < last ? '─' : ' '}`).join('');
}

const rowOf = (tasks: readonly (string | undefined)[], own: number): string =>
  tasks
    .map((task, column) => (column === own ? '●' : task === undefined ? ' ' : '│'))
    .join(' ')
    .trimEnd();
