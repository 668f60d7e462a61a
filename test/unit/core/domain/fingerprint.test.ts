import {
  errorClassOf,
  failedHostOf,
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
  expect(fingerprintText(fingerprintOf(failed)!)).toBe('failed/attempts-exhausted/other/-/-');
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
