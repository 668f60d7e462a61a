import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const HTTP = '--http https://example.com/hook';

test('events start the jobs that wait for them', async () => {
  await session.run(`jobs create receipt --schedule 'event order.paid' ${HTTP}`);
  const { exitCode, stdout } = await session.run(
    `events send order.paid --id evt-1 --key order-42 --data '{"order":42}'`,
  );
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/event +order\.paid\nid +evt-1\n\nJOB +STATUS .*\nreceipt +queued /);
  const [run] = (await session.json('executions list receipt')) as unknown as { execId: string }[];
  const shown = await session.run(`executions show receipt ${run!.execId}`);
  expect(shown.stdout).toMatch(/trigger +event\ncause +event order\.paid evt-1 key order-42\n/);
  const again = await session.run(`events send order.paid --id evt-1 --key order-42 --data '{"order":42}'`);
  expect(again.stdout).toContain('an event with this id had been sent before');
  const none = await session.run('events send order.refunded');
  expect(none.stdout).toContain('No job waits for it.');
  const bad = await session.run('events send order.paid --data {');
  expect(bad).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('--data is not JSON') });
});

test('jobs with upstream jobs are shown, edited and applied, upstream first', async () => {
  const file = join(session.home, 'jobs.yaml');
  writeFileSync(
    file,
    `
defaults:
  target: { type: http, url: https://example.com/hook }
jobs:
  a-report: { schedule: { type: after, jobs: [m-clean], on: done } }
  m-clean: { schedule: { type: after, jobs: [z-ingest] } }
  z-ingest: { schedule: every 1h30m, timeout: 1m30s }
`,
  );
  const applied = await session.run(`apply ${file} --yes`);
  expect(applied).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await session.run(`plan ${file} --detailed-exitcode`)).exitCode).toBe(0);
  const { stdout } = await session.run('jobs get a-report');
  expect(stdout).toMatch(/schedule +after m-clean\n +on +done\n/);
  const edited = await session.run(`jobs edit a-report --schedule 'event order.paid'`);
  expect(edited.stderr).toContain('Dropped from the old one: on.');
  expect(await session.json('jobs get a-report')).toMatchObject({
    schedule: { type: 'event', name: 'order.paid' },
  });
  const listed = await session.run('jobs list --tag team=x');
  expect(listed.exitCode).toBe(0);
});
