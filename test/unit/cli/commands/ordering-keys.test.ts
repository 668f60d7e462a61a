import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const KEY = {
  orderingKey: 'customer/42',
  holder: { jobId: 'charge', execId: '20261201T083000.000Z', status: 'failed' },
  blocked: true,
  waiting: [{ jobId: 'dunning', execId: '20261201T090000.000Z', dueAt: '2026-12-01T09:00:00.000Z' }],
};

test('a key is shown with its holder and the executions that wait', async () => {
  session.instead.push(new Response(JSON.stringify(KEY)));
  const { stdout } = await session.run('ordering-keys show customer/42');
  expect(stdout).toMatch(/state +blocked\nholder +charge 20261201T083000.000Z \(failed\)\n/);
  expect(stdout).toMatch(/\n2026-12-01 09:00:00 +dunning +20261201T090000.000Z\n$/);
  expect(session.requests).toEqual(['GET /v1/ordering-keys?orderingKey=customer%2F42']);
});

test('an unused key is free, and unblocking it succeeds', async () => {
  expect((await session.run('ordering-keys show x')).stdout).toMatch(/^key +x\nstate +free\n$/);
  expect(await session.run('ordering-keys unblock x')).toMatchObject({ exitCode: 0 });
});
