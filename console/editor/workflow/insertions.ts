import type { JsonNode } from './json-text';

/** What can be inserted by a form, with the fields that it asks for. */
export const INSERTIONS = {
  call: { words: 'Task that calls a URL', fields: ['url'] },
  switch: { words: 'Switch', fields: ['value', 'equals'] },
  fanOut: { words: 'Fan-out over a list', fields: ['items', 'url'] },
  approval: { words: 'Approval', fields: ['note'] },
  child: { words: 'Another job', fields: ['job'] },
} as const;

export type Insertion = keyof typeof INSERTIONS;
export type Asked = (typeof INSERTIONS)[Insertion]['fields'][number];
export type Given = Readonly<Partial<Record<Asked, string>>>;

const TASK_ID = /^[A-Za-z][A-Za-z0-9_-]{0,47}$/;

/** What is typed, as JSON if it is some; a template or a word is a text. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const http = (url = '') => ({ target: { type: 'http', url } });

/** The task that a form says. */
export function taskOf(kind: Insertion, given: Given, after: string): Record<string, unknown> {
  const { url, value = '', equals = 'true', items = '', note = '', job = '' } = given;
  const dependsOn = after ? { dependsOn: [after] } : {};
  switch (kind) {
    case 'call':
      return { ...dependsOn, ...http(url) };
    case 'switch': {
      const cases = [{ branch: 'yes', equals: valueOf(equals) }];
      return { ...dependsOn, switch: { on: value, cases, default: 'no' } };
    }
    case 'fanOut':
      return { ...dependsOn, forEach: { items: valueOf(items) }, ...http(url), input: '{{ item }}' };
    case 'approval':
      return { ...dependsOn, approval: note ? { note } : {} };
    case 'child':
      return { ...dependsOn, job };
  }
}

/** Why an id cannot be that of a new task; undefined: it can. */
export function faultOfId(id: string, taken: readonly string[]): string | undefined {
  if (!TASK_ID.test(id)) return 'An id has 1 to 48 letters, digits, "_" or "-", the first a letter.';
  return taken.includes(id) ? `There is a task ${id} already.` : undefined;
}

/** An edit of a text. The rest of it stays as it was typed. */
interface Edit {
  at: number;
  text: string;
}

/** Where a new task goes: behind the last one, as deep as it. Undefined: there are no tasks to go to. */
export function insertionOf(
  text: string,
  root: JsonNode,
  id: string,
  task: Record<string, unknown>,
): Edit | undefined {
  const tasks = root.fields?.get('tasks');
  if (!tasks?.fields) return undefined;
  const last = [...tasks.fields.values()].at(-1);
  const lineFrom = text.lastIndexOf('\n', (last ?? tasks).from) + 1;
  const depth = /^ */.exec(text.slice(lineFrom))![0] + (last ? '' : '  ');
  const json = `${JSON.stringify(id)}: ${JSON.stringify(task, null, 2)}`.replaceAll('\n', `\n${depth}`);
  if (last) return { at: last.to, text: `,\n${depth}${json}` };
  return { at: text.indexOf('{', tasks.from) + 1, text: `\n${depth}${json}\n${depth.slice(2)}` };
}
