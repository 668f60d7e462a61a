import { singleLine } from '../terminal/printable';
import type { DrawnTask } from './drawn-task';

/** A workflow as a flowchart of Mermaid, for Markdown. */
export function mermaidOf(tasks: readonly DrawnTask[]): string {
  const nameOf = new Map(tasks.map(({ id }, index) => [id, `t${index}`]));
  const main = tasks.filter((task) => task.finally === undefined);
  const last = tasks.filter((task) => task.finally !== undefined);
  const nodeOf = (task: DrawnTask) => `${nameOf.get(task.id)}${shapeOf(task)}`;
  const lines = [
    'flowchart TD',
    ...main.map((task) => `  ${nodeOf(task)}`),
    ...main.flatMap(({ id, dependsOn }) =>
      dependsOn.map(({ from, label }) => {
        const arrow = label === undefined ? '-->' : `-- "${escaped(label)}" -->`;
        return `  ${nameOf.get(from)} ${arrow} ${nameOf.get(id)}`;
      }),
    ),
    ...(last.length > 0 ? ['  subgraph finally', ...last.map((task) => `    ${nodeOf(task)}`), '  end'] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function shapeOf(task: DrawnTask): string {
  const text = escaped([task.id, ...notesOf(task)].join('\n')).replaceAll('\n', '<br>');
  if (task.kind === 'join') return `(("${text}"))`;
  if (task.kind === 'switch') return `{"${text}"}`;
  return `["${text}"]`;
}

const notesOf = ({ kind, notes, finally: when }: DrawnTask): string[] => [
  ...(kind === 'join' ? [] : [kind]),
  ...notes,
  ...(when === undefined ? [] : [when]),
];

/** In a label, quotes and the marks of HTML are entities. */
const escaped = (text: string): string =>
  text
    .split('\n')
    .map((line) =>
      singleLine(line)
        .replaceAll('&', '#amp;')
        .replaceAll('"', '#quot;')
        .replaceAll('<', '#lt;')
        .replaceAll('>', '#gt;'),
    )
    .join('\n');
