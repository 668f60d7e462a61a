import { inspect } from 'node:util';

import { Attempt, CallbackError, ConflictError, ResponseError } from '../../../../client';
import { json, problem } from '../fake-api';
import { aDelivery, aLegacyDelivery } from './a-delivery';

const HEADERS = {
  'quarterjack-callback': 'https://api.test/v1/attempts',
  'quarterjack-token': 'secret-token',
};
const origin = 'https://api.test';

/** An attempt whose reports get the response given for their action, or else 200. */
function attemptWith(responses: Partial<Record<string, () => Response>> = {}) {
  const reports: [action: string, body: unknown][] = [];
  const tokens = new Set<string | null>();
  const attempt = Attempt.from(aDelivery(HEADERS), {
    origin,
    retry: { maxTries: 2 },
    surroundings: {
      sleep: () => Promise.resolve(),
      fetch: async (request) => {
        const action = new URL(request.url).pathname.replace('/v1/attempts/', '');
        reports.push([action, await request.json()]);
        tokens.add(request.headers.get('authorization'));
        return responses[action]?.() ?? json(200, { status: 'running', cancelRequested: false });
      },
    },
  })!;
  return { attempt, reports, tokens };
}

test('reports carry the token of the delivery', async () => {
  const { attempt, reports, tokens } = attemptWith();
  expect(await attempt.heartbeat()).toEqual({ cancelRequested: false });
  await attempt.complete({ frames: 9 });
  await attempt.complete();
  await attempt.fail('disk full', { retriable: false });
  expect(reports).toEqual([
    ['heartbeat', {}],
    ['complete', { result: { frames: 9 } }],
    ['complete', {}],
    ['fail', { error: 'disk full', retriable: false }],
  ]);
  expect(tokens).toEqual(new Set(['Bearer secret-token']));
});

test('a delivery to a synchronous target has no attempt to report on', () => {
  expect(Attempt.from(aDelivery(), { origin })).toBeUndefined();
  const callback = { 'quarterjack-callback': 'https://api.test' };
  expect(Attempt.from(aDelivery(callback), { origin })).toBeUndefined();
});

test('a report is retried after 503', async () => {
  const responses = [problem(503), json(200, {})];
  const { attempt, reports } = attemptWith({ complete: () => responses.shift()! });
  await attempt.complete('x');
  expect(reports).toEqual(Array(2).fill(['complete', { result: 'x' }]));
});

test('a 409 response throws a ConflictError', async () => {
  const { attempt } = attemptWith({ heartbeat: () => problem(409) });
  await expect(attempt.heartbeat()).rejects.toThrow(ConflictError);
});

describe('run', () => {
  test('sends heartbeats while it works, then completes with the result', async () => {
    const { attempt, reports } = attemptWith();
    const result = await attempt.run(
      async () => {
        while (reports.length < 2) await new Promise((soon) => setTimeout(soon, 1));
        return 42;
      },
      { everyMs: 1 },
    );
    expect(result).toBe(42);
    expect(reports.slice(0, 2)).toEqual(Array(2).fill(['heartbeat', {}]));
    const count = reports.length;
    expect(reports.at(-1)?.[0]).toMatch(/complete|heartbeat/);
    expect(reports).toContainEqual(['complete', { result: 42 }]);
    await new Promise((soon) => setTimeout(soon, 10));
    expect(reports).toHaveLength(count);
  });

  test('reports work that throws as a retriable failure', async () => {
    const { attempt, reports } = attemptWith();
    await expect(attempt.run(() => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full');
    expect(reports).toEqual([['fail', { error: 'disk full', retriable: true }]]);
  });

  /** Work that ends only when its signal aborts. */
  const endless = (signal: AbortSignal) =>
    new Promise<never>((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason as Error)));

  test('stops the work and reports a failure when the execution is cancelled', async () => {
    const { attempt, reports } = attemptWith({
      heartbeat: () => json(200, { status: 'running', cancelRequested: true }),
    });
    await expect(attempt.run(endless, { everyMs: 1 })).rejects.toThrow('the execution was cancelled');
    expect(reports.map(([action]) => action)).toEqual(['heartbeat', 'fail']);
  });

  test('stops the work and reports nothing more when a later attempt has replaced it', async () => {
    const { attempt, reports } = attemptWith({ heartbeat: () => problem(409) });
    await expect(attempt.run(endless, { everyMs: 1 })).rejects.toThrow(ConflictError);
    expect(reports.map(([action]) => action)).toEqual(['heartbeat']);
  });
});

test.each(['thanks', '<html>'])('a report that gets %j throws a ResponseError', async (body) => {
  const { attempt } = attemptWith({ heartbeat: () => new Response(body) });
  await expect(attempt.heartbeat()).rejects.toThrow(ResponseError);
});

test('an empty response, or null, is no request to cancel', async () => {
  for (const body of ['', 'null', '{}']) {
    const { attempt } = attemptWith({ heartbeat: () => new Response(body) });
    expect(await attempt.heartbeat()).toEqual({ cancelRequested: false });
  }
});

describe('reports go to the origin of the API only', () => {
  const from = (callback: string, allowed: string | string[] = origin, make = aDelivery) =>
    Attempt.from(make({ ...HEADERS, 'quarterjack-callback': callback }), { origin: allowed });

  test.each([
    'https://evil.test/v1/attempts',
    'http://api.test/v1/attempts',
    'https://api.test:8443/v1/attempts',
    'https://api.test@evil.test/v1/attempts',
    'https://user:password@api.test/v1/attempts',
    'https://api.test.evil.test/',
    '//api.test/v1/attempts',
    'file:///etc/passwd',
    'nowhere',
  ])('not to %s', (callback) => {
    expect(() => from(callback)).toThrow(CallbackError);
    expect(() => from(callback, origin, aLegacyDelivery as never)).toThrow(CallbackError);
  });

  test('which can be any URL of the API, or several', () => {
    const { callback } = from('https://api.test/v1/attempts/', 'https://API.test:443/v1')!;
    expect(callback).toBe('https://api.test/v1/attempts');
    expect(from('https://b.test/v1/attempts', [origin, 'https://b.test'])).toBeDefined();
  });

  test.each([undefined, '', 'api.test', 'null', 'data:,', [], [origin, '']])('which %j is not', (bad) => {
    const making = () => Attempt.from(aDelivery(HEADERS), { origin: bad as never });
    expect(making).not.toThrow(CallbackError);
    expect(making).toThrow('origin must be');
  });

  test('and only of a delivery that was verified', () => {
    for (const delivery of [HEADERS, new Headers(HEADERS), undefined])
      expect(() => Attempt.from(delivery as never, { origin })).toThrow('takes the result of verifyDelivery');
    expect(() => Attempt.from(aDelivery(HEADERS), undefined as never)).toThrow('origin must be');
  });

  test('and its token is printed with no delivery', () => {
    const delivery = aDelivery(HEADERS);
    expect(inspect(delivery) + JSON.stringify(delivery)).not.toContain('secret-token');
  });
});
