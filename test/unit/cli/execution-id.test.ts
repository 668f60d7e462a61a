import { Session } from './terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const page = (...execIds: string[]) =>
  new Response(
    JSON.stringify({
      items: execIds.map((execId) => ({
        jobId: 'etl',
        execId,
        status: execId.startsWith('2027') ? 'scheduled' : 'failed',
      })),
      nextCursor: null,
    }),
  );
const gone = () => new Response('{}', { status: 404 });
const MANUAL = '20261201T083015.123Z-9f3k9x0c2m7q4t8v1b5n6d0f2h';

/** What is asked for after the look-up. */
async function asked(typed: string, ...found: string[]): Promise<string[]> {
  session.instead.push(page(...found), gone());
  await session.run(`tasks list etl ${typed}`);
  return session.requests.map((request) => decodeURIComponent(request));
}

test('latest is the newest execution that is due', async () => {
  const [, request] = await asked('latest', '20270101T000000.000Z', MANUAL, '20261130T000000.000Z');
  expect(request).toContain(`/v1/jobs/etl/executions/${MANUAL}/tasks`);
});

test.each([
  ['2026', 'from=2026-01-01T00:00:00.000Z&to=2027-01-01T00:00:00.000Z'],
  ['202612', 'from=2026-12-01T00:00:00.000Z&to=2027-01-01T00:00:00.000Z'],
  ['2026120', 'from=2026-12-01T00:00:00.000Z&to=2026-12-10T00:00:00.000Z'],
  ['20261201T0', 'from=2026-12-01T00:00:00.000Z&to=2026-12-01T10:00:00.000Z'],
  ['20261201T083015.123Z-9f', 'from=2026-12-01T08:30:15.123Z&to=2026-12-01T08:30:15.124Z'],
  ['20261201T083015.123Z', 'from=2026-12-01T08:30:15.123Z&to=2026-12-01T08:30:15.124Z'],
  [`${MANUAL.slice(0, -1)}`, 'from=2026-12-01T08:30:15.123Z&to=2026-12-01T08:30:15.124Z'],
  [`${MANUAL.slice(0, -8)}…`, 'from=2026-12-01T08:30:15.123Z&to=2026-12-01T08:30:15.124Z'],
])('the beginning %s is looked for among the due times that it can have', async (typed, range) => {
  const [listing, request] = await asked(typed, MANUAL);
  expect(listing).toBe(`GET /v1/jobs/etl/executions?${range}&limit=100`);
  expect(request).toContain(`/executions/${MANUAL}/tasks`);
});

test.each(['2199', '2345'])('the beginning %s is looked for within what the API takes', async (typed) => {
  const [listing, request] = await asked(typed, MANUAL);
  expect(listing).toContain('?from=2199-01-01T00:00:00.000Z&to=2199-12-31T23:59:59.999Z&');
  expect(request).toContain(`/executions/${typed}/tasks`);
});

test.each(['20261201T090000.000Z', MANUAL, MANUAL.replace('9f', 'bf9f'), 'no-id'])(
  '%s costs no look-up',
  async (typed) => {
    const [request] = await asked(typed);
    expect(request).toContain(`/executions/${typed}/tasks`);
  },
);

test.each([
  'executions show etl latest',
  'executions log etl latest',
  'executions cancel etl latest',
  'executions retry etl latest',
  'executions pause etl latest',
  'executions resume etl latest',
  'tasks list etl latest',
  'tasks show etl latest load',
  'tasks items etl latest load',
  'tasks cancel etl latest load',
  'tasks approve etl latest load',
  'tasks reject etl latest load',
  'tasks skip etl latest load',
])('%s: the newest execution', async (command) => {
  session.instead.push(page(MANUAL), gone(), gone());
  await session.run(command);
  expect(session.requests.map(decodeURIComponent)).toContainEqual(
    expect.stringContaining(`/executions/${MANUAL}`),
  );
});

test.each(['show', 'pause', 'resume', 'cancel', 'retry'])(
  'backfills %s etl latest: the newest backfill',
  async (action) => {
    session.instead.push(page(MANUAL), gone(), gone());
    await session.run(`backfills ${action} etl latest`);
    const [listing, request] = session.requests.map(decodeURIComponent);
    expect(listing).toContain('/v1/jobs/etl/backfills?limit=1');
    expect(request).toContain(MANUAL);
  },
);

test('a beginning of several ids is refused with some of them', async () => {
  const ids = ['0', '1', '2', '3', '4', '5', '6'].map((hour) => `20261201T0${hour}0000.000Z`);
  session.instead.push(page(...ids));
  const { exitCode, stderr } = await session.run('executions cancel etl 20261201T0');
  expect(exitCode).toBe(3);
  expect(stderr).toContain(
    `several executions of etl begin with 20261201T0: ${ids.slice(0, 5).join(', ')}, …`,
  );
  expect(session.requests).toHaveLength(1);
});

test('a job without an execution says so', async () => {
  session.instead.push(page('20270101T000000.000Z'));
  const { exitCode, stderr } = await session.run('executions show etl latest');
  expect([exitCode, stderr]).toEqual([5, 'quarterjack: no execution of etl has been due yet\n']);
});
