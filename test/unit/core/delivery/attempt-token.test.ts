import { openAttemptToken, sealAttemptToken } from '../../../../lambdas/core/delivery/attempt-token';

const SECRET = Buffer.alloc(64, 's');
const lease = {
  jobKey: 'ann@example.com/nightly-report',
  execId: '20261201T083000.000Z',
  claimId: 'abcdefghijklmnopqrstuvwxyz',
  fence: 9,
  attempt: 3,
};

test.each([undefined, 0, 7])('a token gives the lease and the target %j that it was made of', (target) => {
  expect(openAttemptToken(sealAttemptToken(lease, SECRET, { target }), SECRET)).toEqual({ lease, target });
});

test('equal contents give equal tokens, others give tokens without a common part', () => {
  const token = sealAttemptToken(lease, SECRET);
  expect(sealAttemptToken(lease, SECRET)).toBe(token);
  const next = sealAttemptToken({ ...lease, fence: 10 }, SECRET);
  expect(next.slice(0, 16)).not.toBe(token.slice(0, 16));
  expect(next.slice(-20)).not.toBe(token.slice(-20));
});

test('a token does not show whose job it is', () => {
  const token = sealAttemptToken(lease, SECRET, { target: 1 });
  expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
  const bytes = Buffer.from(token, 'base64url').toString('latin1');
  for (const part of ['ann', 'nightly', '2026', 'abcdef']) expect(bytes).not.toContain(part);
});

test('a changed token is none, whichever character was changed, cut or added', () => {
  const token = sealAttemptToken(lease, SECRET);
  for (let at = 0; at < token.length; at++) {
    const changed = token[at] === 'A' ? 'B' : 'A';
    expect(openAttemptToken(token.slice(0, at) + changed + token.slice(at + 1), SECRET)).toBeUndefined();
    expect(openAttemptToken(token.slice(0, at), SECRET)).toBeUndefined();
  }
  for (const added of ['=', '.', ' ', 'A', '!', '\n'])
    expect(openAttemptToken(token + added, SECRET)).toBeUndefined();
});

test('a token of another deployment, and one that is only signed, is none', () => {
  expect(openAttemptToken(sealAttemptToken(lease, Buffer.alloc(64, 't')), SECRET)).toBeUndefined();
  const signed = `${Buffer.from(JSON.stringify(Object.values(lease))).toString('base64url')}.c2VhbA`;
  expect(openAttemptToken(signed, SECRET)).toBeUndefined();
  expect(openAttemptToken('', SECRET)).toBeUndefined();
});
