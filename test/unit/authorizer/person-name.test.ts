import { personName } from '../../../lambdas/authorizer/person-name';
import { DAY_MS, MINUTE_MS } from '../../../lambdas/core/clock/clock';

type UserInfo = Record<string, unknown> | Error | undefined;

/** Names of persons, from an issuer that answers so, on a clock that the test moves. */
function setUp(answer: UserInfo) {
  const issuer = { answer, calls: 0 };
  let nowMs = 0;
  const nameOf = personName({
    clock: { nowMs: () => nowMs },
    userInfo: async () => {
      issuer.calls += 1;
      if (issuer.answer instanceof Error) throw issuer.answer;
      return issuer.answer;
    },
  });
  const ask = (claims: object = {}, kind: 'person' | 'client' = 'person') =>
    nameOf({ token: 't', claims: { scope: 'openid', ...claims }, sub: 'alice', kind });
  return { issuer, ask, pass: (ms: number) => (nowMs += ms) };
}

test.each([
  [{ email: 'a@example.com', email_verified: true }, 'a@example.com'],
  [{ email: 'a@example.com', email_verified: 'true' }, 'a@example.com'],
  [{ email: 'a@example.com', email_verified: false, username: 'al' }, 'al'],
  [{ email: 'a@example.com', client_id: 'c' }, 'c'],
  [{ username: 'al', client_id: 'c' }, 'al'],
  [{ username: 7 }, null],
  [{}, null],
])('of an issuer without userinfo, %j has the name %j', async (claims, name) => {
  expect(await setUp(undefined).ask(claims)).toBe(name);
});

test('the issuer is asked once a day', async () => {
  const { issuer, ask, pass } = setUp({ sub: 'alice', email: 'a@example.com', email_verified: true });
  for (let count = 0; count < 3; count++) expect(await ask({ username: 'al' })).toBe('a@example.com');
  expect(issuer.calls).toBe(1);
  pass(DAY_MS);
  await ask();
  expect(issuer.calls).toBe(2);
});

test('a name is null while the issuer fails, which is asked again minutes later', async () => {
  const { issuer, ask, pass } = setUp(new Error('no answer'));
  expect(await ask({ username: 'al' })).toBeNull();
  expect(await ask({ username: 'al' })).toBeNull();
  expect(issuer.calls).toBe(1);
  issuer.answer = { sub: 'alice', preferred_username: 'alice' };
  pass(10 * MINUTE_MS);
  expect(await ask()).toBe('alice');
});

test('what the issuer says about another subject, or what it does not verify, is no name', async () => {
  expect(await setUp({ sub: 'bob', preferred_username: 'bob' }).ask({ username: 'al' })).toBe('al');
  expect(await setUp({ sub: 'alice', email: 'e', email_verified: false }).ask({ username: 'al' })).toBe('al');
});

test('the issuer is not asked about programs, and not without the scope openid', async () => {
  const { issuer, ask } = setUp({ sub: 'alice', name: 'Alice' });
  expect(await ask({ client_id: 'alice' }, 'client')).toBe('alice');
  expect(await ask({ scope: 'jobs:read', username: 'al' })).toBe('al');
  expect(issuer.calls).toBe(0);
});

test('a long name is cut', async () => {
  expect(await setUp(undefined).ask({ username: 'x'.repeat(1_000) })).toHaveLength(256);
});
