import { Session } from '../terminal-session';

let session: Session;
beforeEach(async () => {
  session = new Session();
  for (const id of ['report', 'report.2', 'clean'])
    await session.run(`jobs create ${id} --schedule none --http https://example.com`);
  session.requests.length = 0;
});
afterEach(() => session.end());

const complete = async (words: string[], env: Record<string, string> = {}): Promise<string[]> => {
  const { exitCode, stdout, stderr } = await session.runArgs(['complete', '--', ...words], { env });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout.split('\n').slice(0, -1);
};

test.each<[string[], string[]]>([
  [
    ['jobs', 'get', ''],
    ['clean', 'report', 'report.2'],
  ],
  [
    ['jobs', 'get', 're'],
    ['report', 'report.2'],
  ],
  [['jobs', 'pause', '--json', 'report.'], ['report.2']],
  [['jobs', 'edit', '--priority', 'high', 'c'], ['clean']],
  [['why', 'c'], ['clean']],
  [['workflow', 'graph', 'c'], ['clean']],
  [['jobs', 'get', 'other'], []],
])('%j completes job ids', async (words, expected) => {
  expect(await complete(words)).toEqual(expected);
  expect(session.requests).toHaveLength(1);
  expect(session.requests[0]).toMatch(/^GET \/v1\/jobs\?(?=.*fields=summary)(?=.*limit=100)/);
});

test('ids of executions are those of the job before them', async () => {
  const { execId } = (await session.json('jobs run report')) as { execId: string };
  expect(await complete(['executions', 'show', 'report', ''])).toEqual([execId]);
  expect(await complete(['executions', 'show', 'report', execId.slice(0, 4)])).toEqual([execId]);
  expect(await complete(['executions', 'show', 'clean', ''])).toEqual([]);
});

test('ids of other things come from their lists', async () => {
  await session.run('concurrency-keys set crm --limit 2');
  expect(await complete(['concurrency-keys', 'show', ''])).toEqual(['crm']);
  session.instead.push(new Response('{"items":[{"name":"token"},{"name":"crm"}],"nextCursor":null}'));
  expect(await complete(['secrets', 'rm', 't'])).toEqual(['token']);
});

test.each([
  [['jobs', 'create', '']],
  [['jobs', 'list', '']],
  [['jobs', 'get', '-']],
  [['jobs', 'get', 'report', '']],
  [['jobs', 'edit', '--priority', '']],
  [['jobs', '']],
  [['']],
  [[]],
  [['nope', 'x']],
])('%j asks nothing', async (words) => {
  expect(await complete(words)).toEqual([]);
  expect(session.requests).toEqual([]);
});

test('a flag says which project', async () => {
  expect(await complete(['--project', 'billing', 'why', ''])).toEqual([]);
  expect(session.projects.at(-1)).toBe('billing');
});

test('flags say which API, as the shell splits them', async () => {
  const words = ['--url', '=', 'https', ':', '//other.test', 'jobs', 'get', ''];
  expect(await complete(words, { QUARTERJACK_TOKEN: '' })).toEqual([]);
  expect(session.requests).toEqual([]);
  expect(await complete(words)).toHaveLength(3);
});

test.each<[string, () => Response | Error]>([
  ['no network', () => new Error('down')],
  ['a page of something else', () => new Response('<html>')],
  ['an expired token', () => new Response('{}', { status: 401 })],
  ['a failing API', () => new Response('{}', { status: 503 })],
])('%s: nothing, after one try', async (_name, response) => {
  session.instead.push(response());
  expect(await complete(['jobs', 'get', ''])).toEqual([]);
  expect(session.requests).toHaveLength(1);
});

test('an id that a shell could read as more than an id is left out', async () => {
  const items = ['$(reboot)', 'a b', '`x`', '*', "'", 'good-1'].map((jobId) => ({ jobId }));
  session.instead.push(new Response(JSON.stringify({ items, nextCursor: null })));
  expect(await complete(['jobs', 'get', ''])).toEqual(['good-1']);
});

test('a profile whose token has expired is not renewed', async () => {
  const past = Buffer.from(JSON.stringify({ exp: 1 })).toString('base64url');
  const env = { QUARTERJACK_URL: '', QUARTERJACK_TOKEN: '' };
  const token = `h.${past}.s`;
  await session.run('login --url https://api.test --token-command', { env });
  await session.runArgs(['login', '--url', 'https://api.test', '--token-command', `echo ${token}`], { env });
  session.requests.length = 0;
  expect(await complete(['jobs', 'get', ''], env)).toEqual([]);
  expect(session.requests).toEqual([]);
});
