import type { Execution } from '../../../../client';
import { FAILED } from '../failed-execution';
import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const skipped = (reason: string): Execution => ({ ...FAILED, status: 'skipped', reason, result: null });
const page = (items: Execution[], nextCursor: string | null = null) =>
  new Response(JSON.stringify({ items, nextCursor }));
const many = (count: number, reason: string) => Array<Execution>(count).fill(skipped(reason));
const reasons = (stdout: string) => (JSON.parse(stdout) as Execution[]).map(({ reason }) => reason);
const cursors = () => session.requests.map((request) => /cursor=(\w+)/.exec(request)?.[1]);

test('those of the last day, of all jobs', async () => {
  session.instead.push(page([FAILED]));
  const { stdout, stderr } = await session.run('failures --status failed');
  expect(stdout).toMatch(/^JOB +DUE.*\na +2026-12-01/);
  expect(stderr).toBe('');
  const from = encodeURIComponent(new Date(session.world.clock.nowMs() - 86_400_000).toISOString());
  expect(session.requests).toEqual([
    `GET /v1/failures?status=failed&from=${from}&limit=100`,
    'GET /v1/jobs/a',
  ]);
  expect((await session.run('failures')).stdout).toBe('No executions.\n');
});

test('without the skips that a user asked for, whose number is on stderr', async () => {
  session.instead.push(
    page([skipped('deleted'), FAILED, skipped('paused'), skipped('superseded'), skipped('misfire')]),
  );
  const { stdout, stderr } = await session.run('failures --json');
  expect(reasons(stdout)).toEqual(['attempts-exhausted', 'misfire']);
  expect(stderr).toBe(
    '3 skipped executions are left out (deleted, paused or superseded); --all shows them.\n',
  );
});

test('with --all, all of them', async () => {
  session.instead.push(page([skipped('deleted'), FAILED]));
  const { stdout, stderr } = await session.run('failures --json --all');
  expect(reasons(stdout)).toEqual(['deleted', 'attempts-exhausted']);
  expect(stderr).toBe('');
});

test('a failure whose reason is also that of a skip is shown', async () => {
  session.instead.push(page([{ ...FAILED, reason: 'deleted' }]));
  expect(reasons((await session.run('failures --json')).stdout)).toEqual(['deleted']);
});

test('reads on until --limit is filled, and no page further', async () => {
  session.instead.push(page([...many(99, 'deleted'), FAILED], 'second'), page(many(100, 'paused'), 'third'));
  session.instead.push(page([skipped('overlap'), FAILED, FAILED], 'fourth'));
  const { stdout, stderr } = await session.run('failures --json --limit 2');
  expect(reasons(stdout)).toEqual(['attempts-exhausted', 'overlap']);
  expect(cursors()).toEqual([undefined, 'second', 'third']);
  expect(session.requests[0]).toContain('limit=100');
  expect(stderr).toMatch(/^199 skipped/);
});

test('one that is left out is in the singular, also if nothing is left to show', async () => {
  session.instead.push(page([skipped('paused')]));
  const { stdout, stderr } = await session.run('failures');
  expect(stdout).toBe('No executions.\n');
  expect(stderr).toBe('1 skipped execution is left out (deleted, paused or superseded); --all shows it.\n');
});

test('--limit 0 asks nothing', async () => {
  expect((await session.run('failures --limit 0')).stdout).toBe('No executions.\n');
  expect(session.requests).toEqual([]);
});
