import type { Workflow } from '../../../client/browser';
import { type JsonText, nodeAt, pathAt, tokensOf } from './json-text';

/** What may stand at the caret in place of a part of the text. */
export interface Completion {
  from: number;
  to: number;
  options: readonly string[];
  /** What a text that has no end yet gets behind it. */
  after: string;
}

const MOST = 50;

/** Names of fields, by where an object stands. */
const FIELDS = {
  workflow: ['params', 'tasks', 'onTaskFailure', 'output', 'maxParallel'],
  task: [
    'name',
    'note',
    'dependsOn',
    'join',
    'finally',
    'allowFailure',
    'enabled',
    'when',
    'delay',
    'notBefore',
    'switch',
    'approval',
    'job',
    'params',
    'await',
    'keepOutput',
    'forEach',
    'target',
    'targets',
    'input',
    'retry',
    'timeout',
    'priority',
    'pool',
  ],
  dependency: ['task', 'if', 'branch'],
  switch: ['on', 'cases', 'default'],
  approval: ['timeout', 'onTimeout', 'note', 'notBy'],
  await: ['job', 'window', 'need', 'onFailure', 'checkEvery', 'timeout'],
  forEach: ['items', 'concurrency', 'tolerate'],
} as const;

/** Texts that a field takes one of. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  onTaskFailure: ['continue', 'stop', 'cancel'],
  join: ['all', 'any'],
  finally: ['always', 'failed', 'succeeded'],
  if: ['succeeded', 'failed', 'done'],
  onTimeout: ['fail', 'approve'],
  priority: ['highest', 'high', 'medium', 'low', 'lowest'],
};

const RUN = ['id', 'dueAt', 'previousDueAt', 'day', 'startedAt', 'trigger', 'jobId'];
const RUN_AT_THE_END = ['status', 'reason', 'failedTasks', 'counts'];
const TASK = ['output', 'status', 'startedAt', 'finishedAt', 'attempts'];

/**
 * What can be completed at the caret of a workflow: ids of tasks, paths of templates, names of fields, and
 * words that a field takes.
 *
 * @param known the workflow when it was last whole: the text need not be while it is typed
 */
export function completionAt(
  text: string,
  at: number,
  read: JsonText,
  known: Partial<Workflow>,
): Completion | undefined {
  const lineFrom = text.lastIndexOf('\n', at - 1) + 1;
  const lineTo = (text.indexOf('\n', at) + 1 || text.length + 1) - 1;
  const token = tokensOf(text.slice(lineFrom, lineTo)).find(
    ({ from, to }) => lineFrom + from < at && at <= lineFrom + to,
  );
  const first = lineFrom + (token?.from ?? 0);
  if (!token || text[first] !== '"') return undefined;
  const isClosed = token.kind !== 'wrong';
  if (isClosed && at === lineFrom + token.to) return undefined; // behind the closing quote
  const path = pathAt(read.root, first);
  const inside = text.slice(first + 1, at);
  const template = /\{\{(?:(?!\}\}).)*?([\w.-]*)$/.exec(inside);
  if (template) return optionsFor(at, template[1]!, templatePaths(template[1]!, path, known));
  if (read.fault && read.fault.at < first) return undefined; // where this stands is not known
  const name = nameAt(read, path, first);
  const found = optionsFor(at, inside, name ? fieldsAt(name) : wordsAt(path, known));
  // A text without an end reaches to that of its line: up to the caret is what is typed.
  if (isClosed) return found && { ...found, to: lineFrom + token.to - 1 };
  return found && { ...found, after: name ? '": ' : '"' };
}

function optionsFor(at: number, typed: string, all: readonly string[]): Completion | undefined {
  const options = all.filter((one) => one.toLowerCase().startsWith(typed.toLowerCase()) && one !== typed);
  return options.length === 0
    ? undefined
    : { from: at - typed.length, to: at, options: options.slice(0, MOST), after: '' };
}

/** The path of the field whose name begins at a place; undefined if a value begins there. */
function nameAt({ root }: JsonText, path: readonly string[], at: number): readonly string[] | undefined {
  const node = nodeAt(root, path);
  const around = nodeAt(root, path.slice(0, -1));
  if (node.from === at && path.length > 0)
    return around.fields?.get(path.at(-1)!) === node ? path : undefined;
  // A field without an end is not read yet: its object is the innermost value.
  return node.fields && [...path, ''];
}

/** The names of the object that the field at a path belongs to. */
function fieldsAt(path: readonly string[]): readonly string[] {
  const [first, , third, fourth] = path;
  if (first !== 'tasks') return path.length <= 1 ? FIELDS.workflow : [];
  if (path.length === 3) return FIELDS.task;
  if (third === 'dependsOn' && path.length === 5 && fourth !== undefined) return FIELDS.dependency;
  const inner = third !== undefined && path.length === 4 ? (FIELDS as Record<string, unknown>)[third] : [];
  return (inner ?? []) as readonly string[];
}

/** The texts that the value at a path may be. */
function wordsAt(path: readonly string[], known: Partial<Workflow>): readonly string[] {
  const [, taskId, field, , inner] = path;
  const last = path.at(-1)!;
  const isTask = field === 'dependsOn' && (path.length === 4 || inner === 'task');
  if (!isTask) return WORDS[last] ?? [];
  return Object.entries(known.tasks ?? {})
    .filter(([id, task]) => id !== taskId && task?.finally === undefined)
    .map(([id]) => id);
}

/** What a path of a template goes on with, the parts before it included. */
function templatePaths(typed: string, path: readonly string[], known: Partial<Workflow>): readonly string[] {
  const tasks = Object.keys(known.tasks ?? {});
  const own = path[0] === 'tasks' ? known.tasks?.[path[1]!] : undefined;
  const isEnd = path[0] === 'output' || own?.finally !== undefined;
  const [root, id] = typed.split('.');
  if (!typed.includes('.'))
    return ['run.', 'params.', 'tasks.', ...(own?.forEach ? ['item', 'index'] : [])].filter(
      (one) => one !== 'params.' || known.params !== undefined,
    );
  if (root === 'run') return [...RUN, ...(isEnd ? RUN_AT_THE_END : [])].map((one) => `run.${one}`);
  if (root === 'params') return Object.keys(known.params ?? {}).map((one) => `params.${one}`);
  if (root !== 'tasks') return [];
  if (typed.split('.').length === 2)
    return tasks.filter((one) => one !== path[1]).map((one) => `tasks.${one}.`);
  const other = known.tasks?.[id!];
  const more = [
    ...(other?.switch ? ['branch'] : []),
    ...(other?.forEach ? ['count', 'succeeded', 'failed'] : []),
  ];
  return [...TASK, ...more].map((one) => `tasks.${id}.${one}`);
}
