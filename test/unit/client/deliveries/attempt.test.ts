import { Attempt, ConflictError, QuarterjackError, ResponseError } from '../../../../client';
import { json, problem } from '../fake-api';

const HEADERS = {
  'quarterjack-callback': 'https://api.test/v1/attempts',
  'quarterjack-token': 'secret-token',
};

/** An attempt whose reports get the response given for their action, or else 200. */
function attemptWith(responses: Partial<Record<string, () => Response>> = {}) {
  const reports: [action: string, body: unknown][] = [];
  const tokens = new Set<string | null>();
  const attempt = Attempt.from(HEADERS, {
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
  expect(Attempt.from({})).toBeUndefined();
  expect(Attempt.from({ 'quarterjack-callback': 'https://api.test' })).toBeUndefined();
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

test('a callback that is not a URL throws a QuarterjackError', async () => {
  const attempt = Attempt.from({ ...HEADERS, 'quarterjack-callback': 'nowhere' })!;
  await expect(attempt.complete()).rejects.toThrow(QuarterjackError);
});
