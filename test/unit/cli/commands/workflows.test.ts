import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { drawnTasks } from '../../../../cli/workflows/drawn-task';
import { drawingOf } from '../../../../cli/workflows/drawing';
import { mermaidOf } from '../../../../cli/workflows/mermaid';
import { styleOf } from '../../../../cli/terminal/style';
import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const FILE = `
jobs:
  etl:
    schedule: { type: cron, expression: 0 2 * * * }
    workflow:
      tasks:
        extract: { target: { type: http, url: https://example.com/extract } }
        load: { dependsOn: [extract], target: { type: http, url: https://example.com/load } }
        check:
          dependsOn: [extract]
          target: { type: http, url: https://example.com/check }
          allowFailure: true
        report:
          dependsOn: [{ task: load, if: done }, check]
          target: { type: http, url: https://example.com/report }
        alarm: { finally: failed, target: { type: http, url: https://example.com/alarm } }
  plain:
    schedule: { type: none }
    target: { type: http, url: https://example.com/plain }
`;
const DRAWING = `● extract  http
├─╮
│ ● load  http
● │ check  http, failure allowed
├─╯
● report  http, load: done

finally, after all others:
● alarm  http, failed
`;

function file(text = FILE): string {
  const path = join(session.home, 'jobs.yaml');
  writeFileSync(path, text);
  return path;
}

test('check asks the API about the workflows of a file, and shows what their tasks would get', async () => {
  const withInput = FILE.replace(
    'extract: { target',
    'extract: { input: { day: "{{ run.day }}", full: "{{ params.full }}" }, target',
  ).replace('      tasks:\n', '      params: { full: false }\n      tasks:\n');
  const checked = await session.run(
    `workflow check ${file(withInput)} --param full=true --at 2026-12-01T02:00:00Z`,
  );
  expect(checked).toMatchObject({ exitCode: 0, stderr: '' });
  const [head, , ...rows] = checked.stdout.trimEnd().split('\n');
  expect(head).toMatch(/^etl: the API accepts its workflow\. A run of it costs \d+ writes/);
  expect(rows[0]).toBe('1      extract  {"day":"2026-12-01","full":true}');
  expect(rows.map((row) => row.split(/ +/)[1])).toEqual(['extract', 'check', 'load', 'report', 'alarm']);
  expect(await session.json('jobs list')).toEqual([]);
});

test('check names file, line, job, task and field of a fault', async () => {
  const bad = FILE.replace('dependsOn: [extract], target', 'dependsOn: [extrct], target');
  const { exitCode, stderr } = await session.run(`workflow check ${file(bad)}`);
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/jobs\.yaml:8: etl: workflow\.tasks\.load\.dependsOn\.0: no task "extrct"; did you/);
});

test('check and graph say which jobs of a file have workflows', async () => {
  const none = await session.run(`workflow check ${file()} --job plain`);
  expect(none.exitCode).toBe(3);
  expect(none.stderr).toContain('has no job "plain" with a workflow; it has etl');
  const two = FILE.replace(
    '    target: { type: http, url: https://example.com/plain }',
    '    workflow: { tasks: {} }',
  );
  const several = await session.run(`workflow graph ${file(two)}`);
  expect(several.stderr).toContain('has several workflows; choose one by --job: etl, plain');
});

test('a workflow of a file, and of a job, is drawn; kept versions are listed and shown', async () => {
  expect((await session.run(`workflow graph ${file()}`)).stdout).toBe(DRAWING);
  await session.run(`apply ${file()} --yes`);
  expect((await session.run('workflow graph etl')).stdout.split('\n').slice(-3)).toEqual([
    'finally, after all others:',
    '● alarm  http, failed',
    '',
  ]);
  await session.run(`apply ${file(FILE.replace('allowFailure: true', 'timeout: 10m'))} --yes`);
  const versions = await session.json('workflow versions etl');
  expect(versions).toMatchObject([
    { number: 2, isCurrent: true },
    { number: 1, isCurrent: false },
  ]);
  expect((await session.run('workflow graph etl')).stdout).not.toContain('failure allowed');
  for (const version of ['1', versions[1].version])
    expect((await session.run(`workflow graph etl ${version}`)).stdout).toContain('failure allowed');
  expect((await session.json('workflow show etl 1')).tasks.check).toMatchObject({ allowFailure: true });
  expect((await session.run('workflow show etl 7')).stderr).toContain('no kept version 7; kept are: 2, 1');
});

const styles = styleOf(false);
const drawn = (tasks: Record<string, object>) => drawingOf(drawnTasks({ tasks }), styles);

describe('a drawing', () => {
  it('of a sequence has one column', () => {
    expect(drawn({ a: {}, b: { dependsOn: ['a'] }, c: { dependsOn: ['b'] } })).toBe(
      '● a  join\n● b  join\n● c  join\n',
    );
  });

  it('keeps columns open across tasks that do not use them', () => {
    const tasks = { a: {}, b: {}, c: { dependsOn: ['a'] }, d: { dependsOn: ['a', 'b', 'c'] } };
    expect(drawn(tasks)).toBe(
      ['● a  join', '│ ● b  join', '├─│─╮', '│ │ ● c  join', '├─┴─╯', '● d  join', ''].join('\n'),
    );
  });

  it.each([
    [{ a: { dependsOn: ['none'] } }, 'tasks.a.dependsOn: no task "none"'],
    [{ a: { dependsOn: ['b'] }, b: { dependsOn: ['a'] } }, 'the tasks a, b depend on each other in a cycle'],
  ])('of %j is refused', (tasks, message) => {
    expect(() => drawn(tasks)).toThrow(message);
  });

  it('of a wide fan ends in the column of its root', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`t${index}`, { dependsOn: ['a'] }]),
    );
    const text = drawn({ a: {}, ...wide, z: { dependsOn: Object.keys(wide) } });
    expect(text.split('\n').at(-2)).toBe('● z  join');
    expect(text).not.toContain('undefined');
  });
});

test('a flowchart escapes what ends a label, and marks joins and conditions', () => {
  const tasks = {
    'a"<b>': { target: { type: 'http' } },
    c: { dependsOn: [{ task: 'a"<b>', if: 'failed' }] },
    z: { finally: 'always', target: { type: 'sqs' } },
  };
  expect(mermaidOf(drawnTasks({ tasks }))).toBe(`flowchart TD
  t0["a#quot;#lt;b#gt;<br>http"]
  t1(("c"))
  t0 -- "failed" --> t1
  subgraph finally
    t2["z<br>sqs<br>always"]
  end
`);
});
