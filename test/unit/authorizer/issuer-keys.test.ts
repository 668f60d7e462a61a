import { issuerKeys, IssuerUnavailableError } from '../../../lambdas/authorizer/issuer-keys';
import { MINUTE_MS } from '../../../lambdas/core/clock/clock';
import { testKey } from './tokens';

const [first, second] = [testKey('first'), testKey('second')];

/** Keys of an issuer that a test changes, on a clock that it moves. */
function setUp(...keys: unknown[]) {
  const issuer = { keys, reads: 0, isUp: true };
  let nowMs = 0;
  const keyOf = issuerKeys({
    clock: { nowMs: () => nowMs },
    readKeySet: async () => {
      issuer.reads += 1;
      if (!issuer.isUp) throw new Error('no answer');
      return { keys: issuer.keys };
    },
  });
  const has = async (kid: string) => (await keyOf(kid, 'RS256')) !== undefined;
  return { issuer, keyOf, has, pass: (ms: number) => (nowMs += ms) };
}

test('calls that come together share one read, and later ones need none', async () => {
  const { issuer, has } = setUp(first.jwk);
  expect(await Promise.all([has('first'), has('first')])).toEqual([true, true]);
  expect(await has('first')).toBe(true);
  expect(issuer.reads).toBe(1);
});

test('unknown ids cause one read in ten seconds, however many come', async () => {
  const { issuer, has, pass } = setUp(first.jwk);
  await has('first');
  for (let count = 0; count < 50; count++) expect(await has(`invented-${count}`)).toBe(false);
  expect(issuer.reads).toBe(1);
  pass(10_000);
  for (let count = 0; count < 50; count++) expect(await has(`invented-${count}`)).toBe(false);
  expect(issuer.reads).toBe(2);
});

test('a new key is found, and one that was removed is refused after ten minutes', async () => {
  const { issuer, has, pass } = setUp(first.jwk);
  await has('first');
  issuer.keys = [second.jwk];
  pass(10_000);
  expect(await has('second')).toBe(true);
  expect(await has('first')).toBe(false);
});

test('a key that was removed is refused after ten minutes, without a new one', async () => {
  const { issuer, has, pass } = setUp(first.jwk, second.jwk);
  await has('first');
  issuer.keys = [first.jwk];
  pass(10 * MINUTE_MS - 1);
  expect(await has('second')).toBe(true);
  pass(1);
  expect(await has('second')).toBe(false);
});

test('a known key set serves while the issuer does not answer, for a day', async () => {
  const { issuer, has, pass } = setUp(first.jwk);
  await has('first');
  issuer.isUp = false;
  pass(23 * 60 * MINUTE_MS);
  expect(await has('first')).toBe(true);
  expect(await has('unknown')).toBe(false);
  pass(60 * MINUTE_MS);
  await expect(has('first')).rejects.toThrow(IssuerUnavailableError);
  issuer.isUp = true;
  expect(await has('first')).toBe(true);
});

test('only keys that sign are used, each for the algorithm of its own type', async () => {
  const { jwk } = first;
  const { keyOf } = setUp(
    { ...jwk, kid: 'encrypts', use: 'enc' },
    { ...jwk, kid: 'wraps', key_ops: ['wrapKey'] },
    { ...jwk, kid: 'other', alg: 'RS512' },
    { kty: 'oct', kid: 'secret', k: 'AAAA' },
    { ...jwk, kid: 'good', use: 'sig', alg: 'RS256', key_ops: ['verify'] },
    null,
    { ...jwk, kid: 7 },
  );
  for (const kid of ['encrypts', 'wraps', 'other', 'secret'])
    for (const algorithm of ['RS256', 'RS512', 'HS256', 'ES256'])
      expect(await keyOf(kid, algorithm)).toBeUndefined();
  expect(await keyOf('good', 'RS256')).toBeDefined();
  expect(await keyOf('good', 'ES256')).toBeUndefined();
});

test('an answer without a list of keys is no key set', async () => {
  const keyOf = issuerKeys({ clock: { nowMs: () => 0 }, readKeySet: async () => ({ keys: 'none' }) });
  await expect(keyOf('first', 'RS256')).rejects.toThrow(IssuerUnavailableError);
});
