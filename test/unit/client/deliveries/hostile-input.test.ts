import fc from 'fast-check';

import { Attempt, QuarterjackError, SignatureError, verifyDelivery } from '../../../../client';
import { SIGNED_AT_MS, signedDeliveries } from '../../../support/signed-deliveries';

const [{ headers, body, hostSecrets }] = signedDeliveries as [(typeof signedDeliveries)[0]];
const options = { secret: hostSecrets, nowMs: SIGNED_AT_MS };
const NAMES = Object.keys(headers);
const RUNS = { numRuns: 300 };

/** What the call throws; undefined if it throws nothing. */
function thrownBy(call: () => unknown): unknown {
  try {
    call();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Texts that parsers fall over, among them pieces of genuine headers. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    ' ',
    'v1,',
    'v1,,',
    'v1',
    ',',
    '0',
    'NaN',
    '\ud800',
    '__proto__',
    ...Object.values(headers),
  ),
);

test('whatever arrives from the network is rejected with a SignatureError', () => {
  const changes = fc.dictionary(fc.constantFrom(...NAMES), fc.oneof(text, fc.array(text, { maxLength: 3 })), {
    minKeys: 1,
  });
  const more = fc.dictionary(
    fc.oneof(
      text,
      text.map((name) => `quarterjack-${name}`),
    ),
    text,
  );
  const check = fc.check(
    fc.property(
      changes,
      more,
      fc.oneof(fc.constant(body), text, fc.uint8Array()),
      (changed, added, given) => {
        const all = { ...headers, ...added, ...changed };
        const error = thrownBy(() => verifyDelivery(given, all, options));
        return error === undefined ? isGenuine(all, given) : error instanceof SignatureError;
      },
    ),
    RUNS,
  );
  expect(check.counterexample).toBeNull();
});

/** Whether the changes put back what was there. */
const isGenuine = (given: Record<string, unknown>, sent: unknown): boolean =>
  sent === body && NAMES.every((name) => String(given[name]) === headers[name]);

test('whatever a receiver passes is rejected with a QuarterjackError', () => {
  const anything = fc.anything({
    withBigInt: true,
    withNullPrototype: true,
    withSparseArray: true,
    withDate: true,
  });
  const check = fc.check(
    fc.property(anything, anything, anything, (first, second, third) => {
      const calls = [
        () => verifyDelivery(first as string, second as never, third as never),
        () => verifyDelivery(body, second as never, options),
        () => verifyDelivery(body, headers, { secret: first, legacy: second, toleranceSec: third } as never),
        () => verifyDelivery(body, headers, { ...options, nowMs: first } as never),
        () => Attempt.from(first as never, { origin: second } as never),
      ];
      return calls.every((call) => {
        const error = thrownBy(call);
        return error === undefined || error instanceof QuarterjackError;
      });
    }),
    RUNS,
  );
  expect(check.counterexample).toBeNull();
});

test('headers that throw when they are read are a QuarterjackError', () => {
  const throwing = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new RangeError('trap');
      },
    },
  );
  const error = thrownBy(() => verifyDelivery(body, throwing, options));
  expect(error).toBeInstanceOf(QuarterjackError);
  expect((error as Error).cause).toBeInstanceOf(RangeError);
});
