import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const IDS = Array.from({ length: 30 }, (_, index) => `job-${index + 10}`);
const TARGET = { type: 'http', url: 'https://example.com/' };

function file(): string {
  const path = join(session.home, 'jobs.json');
  const jobs = Object.fromEntries(
    IDS.map((id) => [id, { schedule: 'rate(5 minutes)', target: TARGET, tags: { a: 'b' } }]),
  );
  writeFileSync(path, JSON.stringify({ jobs }));
  return path;
}

/** Presses Ctrl-C at the first request that matches. */
function interruptAt(pattern: RegExp): void {
  let isPressed = false;
  session.beforeRequest = (_count, request) => {
    if (isPressed || !pattern.test(request)) return;
    isPressed = true;
    session.interrupt();
  };
}

const count = async () => ((await session.json('jobs list')) as unknown[]).length;

test('apply says what was done, and the same command does the rest', async () => {
  interruptAt(/^PUT /);
  const { exitCode, stdout, stderr } = await session.run(`apply --yes ${file()}`);
  expect(exitCode).toBe(130);
  const [, done] = /Done: (\d+) of 30\.\n/.exec(stdout)!;
  expect(stderr).toMatch(
    /Stopping after the requests under way.*\nInterrupted\. Run the same command again: it does the rest\.\n$/,
  );
  expect(await count()).toBe(Number(done));
  expect(Number(done)).toBeLessThan(30);
  expect(await session.run(`apply --yes ${file()}`)).toMatchObject({ exitCode: 0 });
  expect(await count()).toBe(30);
});

test('delete by tag says how many jobs are left to do', async () => {
  await session.run(`apply --yes ${file()}`);
  // A page that time ended after 20 jobs.
  const { list } = session.world.deps.jobs;
  session.world.deps.jobs.list = async (project, page) => {
    await session.world.clock.advance(5_000);
    return list(project, { ...page, limit: 10 });
  };
  let bulks = 0;
  session.beforeRequest = (_count, request) => {
    if (request === 'POST /v1/bulk' && ++bulks === 4) session.interrupt();
  };
  const { exitCode, stderr } = await session.run('jobs delete --tag a:b --yes');
  expect(exitCode).toBe(130);
  const [, done] = /Interrupted: (\d+) of 30 done; run it again\.\n$/.exec(stderr)!;
  expect([10, 20]).toContain(Number(done));
  session.world.deps.jobs.list = list;
  expect(await count()).toBe(30 - Number(done));
});

test('tail stops following, and the job goes on', async () => {
  await session.run("jobs create a --schedule 'every 5m' --http https://example.com");
  interruptAt(/executions$/);
  const { exitCode, stderr } = await session.run('executions tail a --interval 1h');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 130,
    stderr: expect.stringContaining('Stopped following. The job goes on.\n') as string,
  });
});

test('run --wait says where to look for the execution', async () => {
  await session.run("jobs create a --schedule 'every 5m' --http https://example.com");
  interruptAt(/^GET .*\/executions\/./);
  const { exitCode, stderr } = await session.run('jobs run a --wait');
  expect(exitCode).toBe(130);
  expect(stderr).toMatch(/Stopped waiting\. The execution goes on: quarterjack executions show a \S+\n$/);
});
