import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const SECRET = {
  name: 'crm',
  kind: 'text',
  validUntil: null,
  hosts: ['example.com', '*.example.org'],
  updatedAt: '2026-12-01T08:30:00.000Z',
  by: { sub: 'alice', name: null, via: 'token' },
  users: ['sync'],
  hasMoreUsers: true,
};
const response = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

test('a value comes from stdin without its last line break, and is not shown', async () => {
  session.instead.push(response(SECRET, 201));
  const set = await session.run('secrets set crm --host example.com --host *.example.org', {
    stdin: 'p4ssw0rd\n',
  });
  expect(set).toMatchObject({ exitCode: 0, stdout: 'crm is set for example.com, *.example.org\n' });
  expect(session.requests).toEqual(['PUT /v1/secrets/crm']);
  expect(set.stdout + set.stderr).not.toContain('p4ssw0rd');
});

test('nothing is sent without a value or a host', async () => {
  expect(await session.run('secrets set crm --host example.com', { stdin: '\n' })).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('no value'),
  });
  expect((await session.run('secrets set crm', { stdin: 'p4ssw0rd' })).exitCode).toBe(3);
  expect(session.requests).toEqual([]);
});

test('certificates and keys come from stdin alone', async () => {
  session.instead.push(response({ ...SECRET, kind: 'pem', validUntil: '2027-02-01T08:30:00.000Z' }, 201));
  const set = await session.run('secrets set crm --pem --host example.com', { stdin: '-----BEGIN …' });
  expect(set.exitCode).toBe(0);
  expect(session.bodies.map((text) => JSON.parse(text))).toEqual([
    { value: '-----BEGIN …', kind: 'pem', hosts: ['example.com'] },
  ]);
  session.instead.push(
    response({
      items: [{ ...SECRET, kind: 'pem', validUntil: '2027-02-01T08:30:00.000Z' }],
      nextCursor: null,
    }),
  );
  expect((await session.run('secrets list')).stdout).toMatch(/crm +pem until 2027-02-01 +example/);
});

test('secrets are listed with their hosts and users', async () => {
  session.instead.push(response({ items: [SECRET], nextCursor: null }));
  const { stdout } = await session.run('secrets list');
  expect(stdout).toMatch(/crm +text +example\.com \*\.example\.org +2026-12-01 08:30:00 +alice +sync …/);
  session.instead.push(response({ items: [], nextCursor: null }));
  expect((await session.run('secrets list')).stdout).toBe('no secrets\n');
});

test('a secret in use is removed by force alone', async () => {
  const problem = {
    type: '/v1/problems/conflict',
    title: 'Conflict',
    status: 409,
    detail: 'used',
    instance: 'i',
  };
  session.instead.push(response(problem, 409), new Response(null, { status: 204 }));
  expect((await session.run('secrets rm crm --yes')).exitCode).toBe(6);
  expect(await session.run('secrets rm crm --yes --force')).toMatchObject({
    exitCode: 0,
    stdout: 'crm is deleted\n',
  });
  expect(session.requests).toEqual(['DELETE /v1/secrets/crm', 'DELETE /v1/secrets/crm?force=true']);
});
