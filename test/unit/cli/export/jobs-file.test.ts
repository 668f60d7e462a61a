import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { putEnded } from '../../api/ended-row';
import { Session } from '../terminal-session';

const sessions: Session[] = [];
const newSession = (): Session => {
  const session = new Session();
  sessions.push(session);
  return session;
};
afterEach(() => {
  for (const session of sessions.splice(0)) session.end();
});

/** A project with one of everything that a file can define. */
const PROJECT = `
calendars:
  de-holidays: { name: Germany, timezone: Europe/Berlin, weekdays: [SAT, SUN], dates: ["2026-12-24"], yearly: ["01-01"] }
notifications:
  ops: { on: [failed, recovered], target: { type: http, url: https://example.com/ops } }
jobs:
  report:
    name: Daily report
    schedule: { type: cron, expression: 30 9 * * MON-FRI, timezone: Europe/Berlin, exclude: [{ calendar: de-holidays }] }
    target: { type: http, url: https://example.com/report, headers: { X-Team: billing } }
    payload: { text: "$\${HOME} is no variable", "on": "yes", "1": 1e3, deep: [null, true, ""] }
    tags: { team: billing }
  paused:
    schedule: { type: interval, every: 5m, anchor: "2026-01-01T00:00:00Z" }
    target: { type: http, url: https://example.com/paused }
    paused: true
  graph:
    schedule: { type: none }
    workflow:
      tasks:
        load: { target: { type: http, url: https://example.com/load } }
        check: { dependsOn: [load], job: report }
`;

/** The definitions of a project, as the API shows them. */
async function definedIn(session: Session): Promise<unknown> {
  const ids = (await session.json('jobs list')) as { jobId: string }[];
  const jobs = [];
  for (const { jobId } of ids) jobs.push(await session.json(`jobs get ${jobId}`));
  const calendars = (await session.json('calendars list')) as { calendarId: string }[];
  return {
    jobs: jobs.map(withoutHistory),
    calendars: await Promise.all(
      calendars.map(({ calendarId }) => session.json(`calendars show ${calendarId}`)),
    ),
    notifications: ((await session.json('notifications list')) as object[]).map(withoutHistory),
  };
}

const HISTORY = [
  'createdAt',
  'updatedAt',
  'scheduleChangedAt',
  'generation',
  'changeNumber',
  'etag',
  'workflowVersion',
];
const withoutHistory = (one: object) =>
  Object.fromEntries(Object.entries(one).filter(([key]) => !HISTORY.includes(key)));

async function given(text: string): Promise<Session> {
  const session = newSession();
  const path = join(session.home, 'jobs.yaml');
  writeFileSync(path, text);
  expect(await session.run(`apply ${path} --yes`)).toMatchObject({ exitCode: 0 });
  return session;
}

describe.each(['json', 'yaml'])('export json --format %s', (format) => {
  test('gives an empty project the same jobs, calendars and notifications', async () => {
    const session = await given(PROJECT);
    const { stdout, exitCode, stderr } = await session.run(`export json --format ${format}`);
    expect([exitCode, stderr]).toEqual([0, '']);
    const other = newSession();
    const applied = await other.run('apply - --yes', { stdin: stdout });
    expect([applied.stderr, applied.exitCode]).toEqual(['', 0]);
    expect(await definedIn(other)).toEqual(await definedIn(session));
    expect((await other.run(`plan -`, { stdin: stdout })).stdout).toBe('Nothing to do: 3 unchanged.\n');
  });

  test('keeps each character of a payload, on a terminal too', async () => {
    const session = await given('jobs: {}\n').catch(() => newSession());
    const payload = { text: 'a\u200bb\u0007c\n\td \ud83d\ude00 $${x} ${y}', 'k\u202ey': '\u2028' };
    writeFileSync(join(session.home, 'payload.json'), JSON.stringify(payload));
    await session.run(
      `jobs create a --schedule none --http https://example.com --payload @${join(session.home, 'payload.json')}`,
    );
    expect(await session.json('jobs get a')).toMatchObject({ payload });
    const { stdout } = await session.run(`export json --format ${format}`, { isTTY: true });
    const other = newSession();
    await other.run('apply - --yes', { stdin: stdout });
    expect(await other.json('jobs get a')).toMatchObject({ payload });
  });
});

test('leaves out what has its default', async () => {
  const { stdout } = await (await given(PROJECT)).run('export json --format yaml');
  expect(stdout).toContain(
    '  paused:\n    schedule:\n      type: interval\n      every: 5m\n      anchor: 2026-01-01T00:00:00Z\n' +
      '    target:\n      type: http\n      url: https://example.com/paused\n',
  );
  expect(stdout).not.toContain('misfire');
});

test('writes a file that only its owner may read, and says what it needs', async () => {
  const session = newSession();
  await session.run('secrets set crm --host example.com', { stdin: 'very-secret-value' });
  await session.run('concurrency-keys set db --limit 2');
  const definition = {
    schedule: { type: 'interval', every: '1h', maxRuns: 5 },
    target: {
      type: 'http',
      url: 'https://example.com',
      auth: { type: 'bearer', token: '{{ secrets.crm }}' },
    },
    concurrencyKey: 'db',
  };
  const created = await session.run('jobs create a --file -', { stdin: JSON.stringify(definition) });
  expect(created.stderr).toBe('');
  const path = join(session.home, 'out.json');
  const { stdout, stderr, exitCode } = await session.run(`export json --out ${path}`);
  expect([exitCode, stdout]).toEqual([0, '']);
  expect(stderr).toContain('Wrote 1 job to ');
  expect(stderr).toContain('Needs these secrets (quarterjack secrets set NAME): crm\n');
  expect(stderr).toContain('Needs these concurrency keys (quarterjack concurrency-keys set KEY): db\n');
  expect(stderr).toContain('Note: the interval has no anchor, and counts from when the file is applied: a\n');
  expect(stderr).toContain('Note: maxRuns counts from zero: a\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).not.toContain('very-secret-value');
});

test('leaves out by name what has nothing left to run', async () => {
  const session = newSession();
  const { world } = session;
  const dueAtMs = world.clock.nowMs() + 60_000;
  const at = new Date(dueAtMs).toISOString();
  for (const id of ['ended', 'running', 'paused'])
    await session.run(`jobs create ${id} --schedule ${at} --http https://example.com`);
  await session.run('jobs create later --schedule none --http https://example.com');
  await session.run('jobs pause paused');
  await world.clock.advance(61_000);
  await putEnded(world, 'ended', dueAtMs);
  const { stdout, stderr, exitCode } = await session.run('export json');
  expect([exitCode, stderr]).toEqual([
    0,
    'Left out, since nothing of them is left to run: ended, paused, running\n',
  ]);
  const other = newSession();
  expect(await other.run('apply - --yes', { stdin: stdout })).toMatchObject({ exitCode: 0 });
  expect(await other.json('jobs list')).toMatchObject([{ jobId: 'later' }]);
});

test('says that the token may not read notifications', async () => {
  const session = await given(PROJECT);
  session.instead.push();
  const { exitCode, stderr, stdout } = await session.run('export json', {
    env: { QUARTERJACK_TOKEN: 'reader' },
  });
  expect([exitCode, stderr]).toEqual([
    1,
    'Left out: the notifications, for which the token needs the scope project:admin.\n',
  ]);
  expect(JSON.parse(stdout)).not.toHaveProperty('notifications');
});
