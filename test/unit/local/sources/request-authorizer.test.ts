import { requestAuthorizers } from '../../../../local/sources/request-authorizer';
import type { InvokeOutcome } from '../../../../local/invoke/environment';

const AUTHORIZER = { id: 'a', functionArn: 'arn:f', header: 'authorization', ttlSec: 45 };
const result = (value: unknown): InvokeOutcome => ({ ok: true, payload: JSON.stringify(value) });

/** An authorizer whose function counts its calls, on a clock that the test moves. */
function setUp({ ttlSec = 45, isPermitted = true } = {}) {
  const state = { nowMs: 0, calls: 0, next: undefined as InvokeOutcome | undefined };
  const authorize = requestAuthorizers({
    clock: { nowMs: () => state.nowMs },
    mayInvoke: () => isPermitted,
    invoke: async (_, event) => {
      state.calls += 1;
      return state.next ?? result({ isAuthorized: true, context: { call: state.calls, event } });
    },
  });
  const ask = (authorization?: string) =>
    authorize({
      authorizer: { ...AUTHORIZER, ttlSec },
      headers: authorization === undefined ? {} : { authorization },
      event: (identity) => `for ${identity}`,
    });
  return { state, ask };
}

test('a result counts for the time of the template, for the same header alone', async () => {
  const { state, ask } = setUp();
  const first = await ask('t');
  expect(first).toEqual({ isAuthorized: true, context: { call: 1, event: 'for t' } });
  state.nowMs = 44_999;
  expect(await ask('t')).toBe(first);
  expect(await ask('T')).not.toEqual(first);
  state.nowMs = 45_000;
  expect(await ask('t')).toMatchObject({ context: { call: 3 } });
});

test('a denial is cached too, and a failure is not', async () => {
  const { state, ask } = setUp();
  state.next = result({ isAuthorized: false });
  expect(await ask('denied')).toEqual({ isAuthorized: false, context: null });
  await ask('denied');
  expect(state.calls).toBe(1);
  state.next = { ok: false, error: { errorType: 'E', errorMessage: 'no keys', trace: [] } };
  expect([await ask('t'), await ask('t')]).toEqual(['failed', 'failed']);
  expect(state.calls).toBe(3);
  state.next = undefined;
  expect(await ask('t')).toMatchObject({ isAuthorized: true });
});

test('without a time to live nothing is cached', async () => {
  const { state, ask } = setUp({ ttlSec: 0 });
  await ask('t');
  await ask('t');
  expect(state.calls).toBe(2);
});

test.each([undefined, ''])('the function is not called for the header %j', async (header) => {
  const { state, ask } = setUp();
  expect(await ask(header)).toBe('missing');
  expect(state.calls).toBe(0);
});

test('the function is not called without its permission', async () => {
  const { state, ask } = setUp({ isPermitted: false });
  expect(await ask('t')).toBe('failed');
  expect(state.calls).toBe(0);
});

test.each([null, 'yes', [], {}, { isAuthorized: 'true' }, { isAuthorized: true, context: 'x' }])(
  'the result %j is invalid',
  async (value) => {
    const { state, ask } = setUp();
    state.next = result(value);
    expect(await ask('t')).toBe('failed');
  },
);
