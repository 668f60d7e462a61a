import fc from 'fast-check';

import { completionAt } from '../../../console/editor/workflow/completion';
import {
  faultOfId,
  type Insertion,
  INSERTIONS,
  insertionOf,
  taskOf,
} from '../../../console/editor/workflow/insertions';
import { lineAt, nodeAt, pathAt, readJson, tokensOf } from '../../../console/editor/workflow/json-text';
import { newLineAfter } from '../../../console/editor/workflow/insert-text';
import { problemsOf } from '../../../console/editor/workflow/problems';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('a text of JSON', () => {
  /** JSON with a piece taken out, put in or put twice. */
  const almost = fc
    .record({
      value: fc.jsonValue({ maxDepth: 4 }),
      indent: fc.nat(3),
      at: fc.nat(1_000),
      length: fc.nat(3),
      put: fc.constantFrom('', ',', '"', '{', ']', ':', '\\', '0', '-', 'nul', '\n', '\u00a0', '\t', 'e'),
    })
    .map(({ value, indent, at, length, put }) => {
      const text = JSON.stringify(value, null, indent);
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + length);
    });

  test('has a fault if the browser cannot read it, and none else', () => {
    fc.assert(
      fc.property(almost, (text) => {
        expect([text, readJson(text).fault === undefined]).toEqual([text, isJson(text)]);
      }),
      { numRuns: 500 },
    );
  });

  test('has a place for each value, and each place its path', () => {
    const value = { tasks: { load: { dependsOn: ['a', { task: 'b' }], input: [[1], { x: null }] } } };
    const text = JSON.stringify(value, null, 2);
    const { root } = readJson(text);
    const path = ['tasks', 'load', 'dependsOn', '1', 'task'];
    const { from, to } = nodeAt(root, path);
    expect(text.slice(from, to)).toBe('"task": "b"');
    for (let at = from; at <= to; at++) expect(pathAt(root, at)).toEqual(path);
    expect(nodeAt(root, ['tasks', 'load', 'retry', 'maxAttempts'])).toBe(nodeAt(root, ['tasks', 'load']));
  });

  test('says where it breaks, and which name is given twice', () => {
    const text = '{\n  "a": 1,\n  "b": [1 2]\n}';
    const { fault } = readJson(text);
    expect([lineAt(text, fault!.at), fault!.message]).toEqual([3, 'a comma is missing before 2']);
    expect(readJson('{"a":1,}').fault?.message).toContain('name of a field is missing before }');
    expect(readJson('{"a":"\u0001"}').fault?.message).toContain('a text has no end');
    expect(readJson('[[').fault).toEqual({ at: 2, message: 'a value is missing at the end' });
    expect(readJson('{"a":1,"b":2,"a":3}').repeated).toEqual([{ at: 13, message: '"a" is given twice' }]);
    expect(readJson('['.repeat(100_000)).fault?.message).toContain('nested too deeply');
  });

  test('has kinds of pieces, line by line', () => {
    const kinds = tokensOf('  "url": "x", -1.5e3, true, nope').map(({ kind }) => kind);
    expect(kinds).toEqual(['key', 'mark', 'text', 'mark', 'number', 'mark', 'word', 'mark', 'wrong']);
  });

  test('a new line is as deep as the one before, and deeper behind a bracket', () => {
    expect([newLineAfter('{'), newLineAfter('{\n  "a": 1,'), newLineAfter('  "b": [ ')]).toEqual([
      '\n  ',
      '\n  ',
      '\n    ',
    ]);
  });
});

const workflow = {
  params: { region: 'eu' },
  tasks: {
    extract: { target: { type: 'http' as const, url: 'https://example.com' } },
    parts: { dependsOn: ['extract'], forEach: { items: ['a'] }, target: { type: 'http' as const, url: '' } },
    route: { switch: { on: '{{ params.region }}', cases: [], default: 'no' } },
    alarm: { finally: 'always' as const },
  },
};

describe('what completes a workflow', () => {
  const line = (text: string) => `{\n  "params": { "region": "eu" },\n  "tasks": {\n    ${text}`;
  /** `|` is the caret. */
  const offered = (marked: string) => {
    const at = marked.indexOf('|');
    const text = marked.replace('|', '');
    return completionAt(text, at, readJson(text), workflow as never);
  };
  const options = (marked: string) => offered(marked)?.options;

  test('are ids of tasks where a task depends on one: not its own, and none of the end', () => {
    expect(options(line('"load": { "dependsOn": ["|'))).toEqual(['extract', 'parts', 'route']);
    expect(options(line('"parts": { "dependsOn": ["extract", { "task": "|" }] } } }'))).toEqual([
      'extract',
      'route',
    ]);
    expect(offered(line('"load": { "dependsOn": ["ex|'))).toMatchObject({ options: ['extract'], after: '"' });
    expect(options(line('"load": { "dependsOn": ["extract|"] } } }'))).toBeUndefined();
  });

  test('are the roots of templates, and what each goes on with', () => {
    expect(options(line('"load": { "input": { "a": "{{ |" } } } }'))).toEqual(['run.', 'params.', 'tasks.']);
    expect(options(line('"parts": { "input": "{{ i|" } } }'))).toEqual(['item', 'index']);
    expect(options(line('"load": { "input": "x {{ run.d|"'))).toEqual(['run.dueAt', 'run.day']);
    expect(options(line('"load": { "input": "{{ params.|"'))).toEqual(['params.region']);
    expect(options(line('"load": { "input": "{{ tasks.ro|"'))).toEqual(['tasks.route.']);
    expect(options(line('"load": { "input": "{{ tasks.route.b|"'))).toEqual(['tasks.route.branch']);
    expect(options(line('"load": { "input": "{{ tasks.parts.c|"'))).toEqual(['tasks.parts.count']);
    expect(options(line('"alarm": { "input": "{{ run.fai|"'))).toEqual(['run.failedTasks']);
    expect(options(line('"load": { "input": "{{ run.day }} ru|"'))).toBeUndefined();
  });

  test('are names of fields and the words that a field takes', () => {
    expect(offered(line('"load": { "dep|'))).toMatchObject({ options: ['dependsOn'], after: '": ' });
    expect(options(line('"load": { "for|": {} } } }'))).toEqual(['forEach']);
    expect(options(line('"load": { "switch": { "d|'))).toEqual(['default']);
    expect(options(line('"load": { "dependsOn": [{ "br|'))).toEqual(['branch']);
    expect(options(line('"load": { "finally": "|'))).toEqual(['always', 'failed', 'succeeded']);
    expect(options('{ "on|')).toEqual(['onTaskFailure']);
    for (const nothing of [
      line('"load": { "input": { "|'),
      line('|'),
      '|',
      line('"load": 7|'),
      line('"load"|'),
    ])
      expect(options(nothing)).toBeUndefined();
  });
});

describe('a task that a form inserts', () => {
  const indented = fc.constantFrom(undefined, 2, 4);
  const kinds = fc.constantFrom(...(Object.keys(INSERTIONS) as Insertion[]));

  test('comes behind the others, and leaves every character of the text', () => {
    const tasks = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.jsonValue({ maxDepth: 2 }), {
      maxKeys: 3,
    });
    const rest = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(tasks, rest, indented, kinds, (known, output, indent, kind) => {
        const text = JSON.stringify({ output, tasks: known, onTaskFailure: 'stop' }, null, indent);
        const task = taskOf(kind, { url: 'https://example.com', value: '{{ run.day }}' }, 'a');
        const edit = insertionOf(text, readJson(text).root, 'NEW', task)!;
        const after = text.slice(0, edit.at) + edit.text + text.slice(edit.at);
        const expected = { output, tasks: { ...known, NEW: task }, onTaskFailure: 'stop' };
        expect(JSON.stringify(JSON.parse(after))).toBe(JSON.stringify(expected));
      }),
    );
  });

  test('has what was typed: JSON as a value, and else as a text', () => {
    expect(taskOf('switch', { value: '{{ params.full }}', equals: 'true' }, '')).toEqual({
      switch: { on: '{{ params.full }}', cases: [{ branch: 'yes', equals: true }], default: 'no' },
    });
    expect(taskOf('fanOut', { items: '["a"]', url: 'u' }, 'x')).toMatchObject({ forEach: { items: ['a'] } });
    expect(taskOf('fanOut', { items: '{{ params.l }}' }, '').forEach).toEqual({ items: '{{ params.l }}' });
    expect(taskOf('approval', {}, 'x')).toEqual({ dependsOn: ['x'], approval: {} });
    expect(taskOf('child', { job: 'report' }, 'x')).toEqual({ dependsOn: ['x'], job: 'report' });
  });

  test('needs an id that is one, and of no other task', () => {
    expect(faultOfId('load', ['extract'])).toBeUndefined();
    expect(faultOfId('extract', ['extract'])).toContain('a task extract already');
    for (const id of ['', '1a', 'a b', 'a.b', 'a'.repeat(49)]) expect(faultOfId(id, [])).toContain('1 to 48');
  });
});

describe('what is wrong with a workflow that is typed', () => {
  const text = JSON.stringify({ tasks: { a: {}, b: { dependsOn: ['c'] } } }, null, 2);

  test('stands at its line; what is no JSON hides the rest', () => {
    const errors = [
      { path: 'schedule.expression', message: 'is wrong' },
      { path: 'workflow.tasks.b.dependsOn.0', message: 'no task "c"' },
      { path: 'workflow.tasks.a.target.url', message: 'is missing' },
    ];
    expect(problemsOf(text, readJson(text), errors).map(({ path, line }) => [path, line])).toEqual([
      ['schedule.expression', 1],
      ['tasks.a.target.url', 3],
      ['tasks.b.dependsOn.0', 6],
    ]);
    const broken = text.slice(0, -3);
    expect(problemsOf(broken, readJson(broken), errors).map(({ path }) => path)).toEqual(['']);
  });
});
