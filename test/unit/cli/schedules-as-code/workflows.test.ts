import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
        extract:
          target: { type: http, url: https://example.com/extract }
          retry: { maxAttempts: 5 }
        load:
          dependsOn: [extract]
          target: { type: http, url: https://example.com/load }
          allowFailure: true
        joined: { dependsOn: [{ task: load, if: done }] }
`;

function file(text = FILE): string {
  const path = join(session.home, 'jobs.yaml');
  writeFileSync(path, text);
  return path;
}

test('a workflow that matches the file is left alone, and a difference is shown by task and field', async () => {
  expect(await session.run(`apply --yes ${file()}`)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await session.run(`plan ${file()} --detailed-exitcode`)).toMatchObject({
    exitCode: 0,
    stdout: 'Nothing to do: 1 unchanged.\n',
  });
  const changed = FILE.replace('maxAttempts: 5', 'maxAttempts: 7');
  const { stdout } = await session.run(`plan ${file(changed)}`);
  expect(stdout).toContain('workflow.tasks.extract.retry.maxAttempts  5 → 7');
  expect(await session.run(`apply --yes ${file(changed)}`)).toMatchObject({ exitCode: 0 });
  expect(await session.run(`plan ${file(changed)} --detailed-exitcode`)).toMatchObject({ exitCode: 0 });
});

test('a plan and a job show what each task does', async () => {
  const { stdout: plan } = await session.run(`plan ${file()}`);
  expect(plan).toContain(
    '    workflow   3 tasks\n' +
      '      extract  POST https://example.com/extract\n' +
      '      load     POST https://example.com/load, failure allowed, after extract\n' +
      '      joined   join, after load (done)\n',
  );
  await session.run(`apply --yes ${file()}`);
  expect((await session.run('jobs get etl')).stdout).toMatch(
    /\n {2}load +POST \S+load, failure allowed, after/,
  );
});

test('a run is shown as a tree of its tasks', async () => {
  await session.run(`apply --yes ${file()}`);
  const run = await session.json('jobs run etl');
  const { stdout, exitCode } = await session.run(`executions show etl ${run.execId}`);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('execution');
});
