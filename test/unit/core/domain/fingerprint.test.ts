import {
  errorClassOf,
  excerptOf,
  failedHostOf,
  failedTaskOf,
  fingerprintOf,
  fingerprintText,
} from '../../../../lambdas/core/domain/fingerprint';
import { withHosts } from '../../../../lambdas/core/domain/attempt-records';
import type { HttpTarget } from '../../../../lambdas/core/domain/target';
import { anAttempt, anExecution } from '../../../support/factories';

const target = (url: string): HttpTarget => ({
  type: 'http',
  url,
  method: 'POST',
  headers: {},
  timeout: '30s',
});

test.each([
  ['target answered 503', 503, 'status'],
  ['call aborted', undefined, 'aborted'],
  ['call aborted, phase: TLS handshake', undefined, 'aborted'],
  ['timed out after 2000 ms (target timeout)', undefined, 'aborted'],
  ['timed out after 2000 ms (target timeout), phase: connection', undefined, 'aborted'],
  ['timed out after 300000 ms (job timeout)', undefined, 'aborted'],
  ['ETIMEDOUT: connect ETIMEDOUT 10.0.0.1:443', undefined, 'aborted'],
  ['ETIMEOUT: queryA ETIMEOUT a.example', undefined, 'aborted'],
  ['TimeoutError: socket did not respond', undefined, 'aborted'],
  ['the token endpoint did not respond within 10 s', undefined, 'aborted'],
  ['not called: timeout reached', undefined, 'not-called'],
  ['connect ECONNREFUSED 127.0.0.1:9', undefined, 'refused'],
  ['read ECONNRESET', undefined, 'reset'],
  ['the connection closed before the response was complete', undefined, 'reset'],
  ['getaddrinfo ENOTFOUND a.example', undefined, 'name'],
  ['connect ENETUNREACH 10.0.0.1:443', undefined, 'unreachable'],
  ['CERT_HAS_EXPIRED: certificate has expired', undefined, 'certificate'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate', undefined, 'certificate'],
  ['AccessDeniedException: not authorized to perform', 400, 'access-denied'],
  ['TooManyRequestsException: Rate exceeded', 429, 'throttled'],
  ['ResourceNotFoundException: Function not found', 404, 'missing'],
  ['the function failed: Unhandled', 200, 'function'],
  ['disk full', undefined, 'other'],
  [undefined, undefined, 'other'],
])('the error %j with status %j is of the class %s', (error, statusCode, expected) => {
  expect(errorClassOf(anAttempt({ error, statusCode }))).toBe(expected);
});

test('a lost attempt is lost, whatever it says', () => {
  expect(errorClassOf(anAttempt({ outcome: 'lost', error: 'ECONNREFUSED' }))).toBe('lost');
});

test('no text of a target becomes a part of a fingerprint', () => {
  const attempts = [anAttempt({ error: 'secret/text', statusCode: undefined })];
  const failed = anExecution({ status: 'failed', reason: 'attempts-exhausted', attempts });
  expect(fingerprintText(fingerprintOf(failed)!)).toMatch(
    /^failed\/attempts-exhausted\/other\/-\/-\/[0-9a-f]{8}$/,
  );
});

describe('the line of a response', () => {
  const failed = (body: string | undefined, more: object = {}) =>
    anExecution({ status: 'failed', reason: 'fatal', result: { statusCode: 503, body }, ...more });
  const textOf = (one: ReturnType<typeof failed>) => fingerprintText(fingerprintOf(one)!);

  test('splits a cause, and is shown', () => {
    expect(textOf(failed('disk 7 full'))).toBe(textOf(failed('disk 8 full')));
    expect(textOf(failed('disk full'))).not.toBe(textOf(failed('out of memory')));
    expect(excerptOf(failed('disk full\nat x'))).toBe('disk full');
    expect(excerptOf(failed('a'.repeat(500)))).toHaveLength(160);
  });

  test('is none without a body, and for the response of another target', () => {
    expect(textOf(failed(undefined))).toBe('failed/fatal/status/503/-');
    expect(excerptOf(failed('ok', { attempts: [anAttempt({ statusCode: 404 })] }))).toBeUndefined();
    expect(
      excerptOf(anExecution({ status: 'retrying', result: { statusCode: 503, body: 'x' } })),
    ).toBeUndefined();
  });

  test('of a failed task is that of its run, also through a child', () => {
    const attempts = [anAttempt({ statusCode: 500, host: 'a.example' })];
    const task = anExecution({
      status: 'failed',
      attempts,
      result: { statusCode: 500, body: 'disk 7 full' },
    });
    const child = failed('failed tasks: load', { attempts: [], failedTask: failedTaskOf('load', task) });
    const run = failed('failed tasks: sub', { attempts: [], failedTask: failedTaskOf('sub', child) });
    const [, hash] = /\/([0-9a-f]{8})$/.exec(textOf(task)) ?? [];
    expect(textOf(run)).toBe(`failed/fatal/status/500/a.example/${hash}/sub`);
    expect([failedHostOf(run), excerptOf(run)]).toEqual(['a.example', 'disk 7 full']);
    const unread = failed(undefined, { attempts: [], failedTask: failedTaskOf('load', undefined) });
    expect(textOf(unread)).toBe('failed/fatal/-/-/-/-/load');
  });
});

test('the final failure of several targets decides, else the last one', () => {
  const attempts = [
    anAttempt({ host: 'old.example', statusCode: 500 }),
    anAttempt({ attempt: 2, fence: 2, outcome: 'fatal', statusCode: 404, host: 'a.example' }),
    anAttempt({ attempt: 2, fence: 2, target: 1, host: 'b.example' }),
  ];
  const failed = anExecution({ status: 'failed', reason: 'fatal', attempts });
  expect(fingerprintOf(failed)).toMatchObject({ statusCode: 404, host: 'a.example' });
  expect(failedHostOf({ attempts: attempts.slice(0, 1) })).toBe('old.example');
});

test('only what failed or was skipped has one', () => {
  expect(fingerprintOf(anExecution({ status: 'succeeded' }))).toBeUndefined();
  const skipped = anExecution({ status: 'skipped', reason: 'misfire', attempts: [] });
  expect(fingerprintText(fingerprintOf(skipped)!)).toBe('skipped/misfire/-/-/-');
});

test('a failure keeps the host of its own target, without credentials and templates', () => {
  const targets = [
    target('https://user:word@One.Example/{{ run.day }}'),
    target('https://two.example:8443/'),
    target('{{ secrets.slack }}'),
  ];
  const records = [0, 1, 2, 3].map((index) => anAttempt({ target: index }));
  const hosts = (given: typeof records) =>
    withHosts(given, { target: targets[0]!, targets }).map(({ host }) => host);
  expect(hosts(records)).toEqual(['one.example', 'two.example:8443', undefined, undefined]);
  expect(hosts([anAttempt({ outcome: 'succeeded' })])).toEqual([undefined]);
  expect(withHosts(records, undefined)).toEqual(records);
});
