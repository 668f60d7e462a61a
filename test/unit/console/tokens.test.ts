import { SignInNeeded, type TokenDeps, TokenKeeper, type Tokens } from '../../../console/session/tokens';

const HOUR_MS = 3_600_000;
const first: Tokens = { accessToken: 'a1', expiresAtMs: HOUR_MS, refreshToken: 'r1', family: 'f' };

/** A keeper with a clock, a lock of its own, and an issuer whose refresh tokens are good once. */
function keeperAt(tokens: Tokens, more: Partial<TokenDeps> = {}) {
  let nowMs = 0;
  let valid = tokens.refreshToken;
  const calls: string[] = [];
  const published: Tokens[] = [];
  const kept: (Tokens | undefined)[] = [];
  const deps: TokenDeps = {
    nowMs: () => nowMs,
    refresh: async (given) => {
      calls.push(given);
      await Promise.resolve();
      if (given !== valid) throw new SignInNeeded('used twice');
      valid = `r${calls.length + 1}`;
      return { accessToken: `a${calls.length + 1}`, expiresAtMs: nowMs + HOUR_MS, refreshToken: valid };
    },
    exclusively: (work) => work(),
    publish: (fresh) => published.push(fresh),
    keep: (fresh) => kept.push(fresh),
    ...more,
  };
  return { keeper: new TokenKeeper(tokens, deps), calls, published, kept, at: (ms: number) => (nowMs = ms) };
}

test('a token that is good for more than a minute is used as it is', async () => {
  const { keeper, calls, at } = keeperAt(first);
  at(HOUR_MS - 60_001);
  expect(await keeper.get()).toBe('a1');
  expect(calls).toEqual([]);
});

test('ten callers with an old token share one exchange', async () => {
  const { keeper, calls, published, at } = keeperAt(first);
  at(HOUR_MS);
  expect(await Promise.all(Array.from({ length: 10 }, () => keeper.get()))).toEqual(Array(10).fill('a2'));
  expect(calls).toEqual(['r1']);
  expect(published).toHaveLength(1);
});

test('ten refused requests cause one exchange', async () => {
  const { keeper, calls } = keeperAt(first);
  expect(await Promise.all(Array.from({ length: 10 }, () => keeper.renew('a1')))).toEqual(
    Array(10).fill('a2'),
  );
  expect(await keeper.renew('a1')).toBe('a2');
  expect(calls).toEqual(['r1']);
});

test('each exchange uses the refresh token of the one before, which is kept for a reload', async () => {
  const { keeper, calls, kept, at } = keeperAt(first);
  at(HOUR_MS);
  await keeper.get();
  at(2 * HOUR_MS);
  await keeper.get();
  expect(calls).toEqual(['r1', 'r2']);
  expect(kept.map((one) => one?.refreshToken)).toEqual(['r2', 'r3']);
});

test('an issuer that does not rotate keeps its refresh token', async () => {
  const { keeper, kept } = keeperAt(first, {
    refresh: async () => ({ accessToken: 'a2', expiresAtMs: HOUR_MS, refreshToken: undefined }),
  });
  await keeper.renew('a1');
  expect(kept[0]?.refreshToken).toBe('r1');
});

test('a tab that waited for the lock adopts what another tab of its sign-in got', async () => {
  const { keeper, calls, at } = keeperAt(first, {
    exclusively: async (work) => {
      keeper.adopt({ accessToken: 'b2', expiresAtMs: 2 * HOUR_MS, refreshToken: 'q2', family: 'f' });
      return work();
    },
  });
  at(HOUR_MS);
  expect(await keeper.get()).toBe('b2');
  expect(calls).toEqual([]);
});

test('tokens of another sign-in, and older ones, are not adopted', async () => {
  const { keeper } = keeperAt(first);
  keeper.adopt({ accessToken: 'x', expiresAtMs: 9 * HOUR_MS, refreshToken: 'x', family: 'other' });
  keeper.adopt({ accessToken: 'y', expiresAtMs: HOUR_MS, refreshToken: 'y', family: 'f' });
  expect(await keeper.get()).toBe('a1');
});

test('a refused refresh token asks for a new sign-in, and so does a missing one', async () => {
  const refused = keeperAt(first, {
    refresh: async () => {
      throw new SignInNeeded('expired');
    },
  });
  await expect(refused.keeper.renew('a1')).rejects.toBeInstanceOf(SignInNeeded);
  const { keeper } = keeperAt({ ...first, refreshToken: undefined });
  await expect(keeper.renew('a1')).rejects.toBeInstanceOf(SignInNeeded);
});

test('a failure of the network is no end of the sign-in: the next caller tries again', async () => {
  let fails = true;
  const { keeper } = keeperAt(first, {
    refresh: async () => {
      if (fails) throw new TypeError('network');
      return { accessToken: 'a2', expiresAtMs: HOUR_MS, refreshToken: 'r2' };
    },
  });
  await expect(keeper.renew('a1')).rejects.toThrow('network');
  fails = false;
  expect(await keeper.renew('a1')).toBe('a2');
});
