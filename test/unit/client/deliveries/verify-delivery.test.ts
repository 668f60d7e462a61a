import { Webhook } from 'standardwebhooks';

import { type DeliveryHeaders, QuarterjackError, SignatureError, verifyDelivery } from '../../../../client';

const SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('fedcba9876543210fedcba9876543210').toString('base64')}`;
const NOW_MS = Date.parse('2026-12-01T09:00:00Z');
const BODY = '{ "invoice": 42, "text": "Grüße" }';

/** Headers of a delivery, signed by the public Standard Webhooks library. */
function headersOf({ secrets = [SECRET], atMs = NOW_MS, body = BODY } = {}): Record<string, string> {
  const at = new Date(atMs);
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(atMs / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign('msg_1', at, body)).join(' '),
    'quarterjack-job': 'invoice-42',
    'quarterjack-execution': '20261201T090000.000Z',
    'quarterjack-attempt': '2',
    'quarterjack-fence': '3',
    'quarterjack-due': '2026-12-01T09:00:00.000Z',
  };
}

const verify = (headers: DeliveryHeaders, options: object = {}, body: string | Uint8Array = BODY) =>
  verifyDelivery(body, headers, { secret: SECRET, nowMs: NOW_MS, ...options });

test('a delivery with a valid signature is read', () => {
  const { json, ...delivery } = verify(headersOf());
  expect(delivery).toEqual({
    id: 'msg_1',
    jobId: 'invoice-42',
    execId: '20261201T090000.000Z',
    attempt: 2,
    fence: 3,
    dueAt: new Date('2026-12-01T09:00:00Z'),
    body: BODY,
  });
  expect(json()).toEqual({ invoice: 42, text: 'Grüße' });
});

test('headers can be Headers, lists, or in any letter case; the body can be bytes', () => {
  expect(verify(new Headers(headersOf())).id).toBe('msg_1');
  const inUpperCase = Object.fromEntries(
    Object.entries(headersOf()).map(([name, value]) => [name.toUpperCase(), [value]]),
  );
  expect(verify(inUpperCase, {}, Buffer.from(BODY)).id).toBe('msg_1');
});

test('during a rotation, one matching signature is enough, whichever side has two secrets', () => {
  expect(verify(headersOf({ secrets: [OTHER, SECRET] })).id).toBe('msg_1');
  expect(verify(headersOf({ secrets: [OTHER] }), { secret: [SECRET, OTHER] }).id).toBe('msg_1');
});

test.each<[string, Record<string, string>, string?]>([
  ['another secret', headersOf({ secrets: [OTHER] })],
  ['another body', headersOf(), `${BODY} `],
  ['another id', { ...headersOf(), 'webhook-id': 'msg_2' }],
  ['another timestamp', { ...headersOf(), 'webhook-timestamp': String(NOW_MS / 1_000 + 1) }],
  ['no signature of a known version', { ...headersOf(), 'webhook-signature': 'v2,AAAA v1a,BBBB' }],
  [
    'a truncated signature',
    { ...headersOf(), 'webhook-signature': headersOf()['webhook-signature']!.slice(0, 20) },
  ],
])('%s is rejected', (_name, headers, body = BODY) => {
  expect(() => verify(headers, {}, body)).toThrow(SignatureError);
});

test.each([
  ['past', -301_000],
  ['future', 301_000],
])('a timestamp too far in the %s is rejected, and accepted with a larger tolerance', (when, offsetMs) => {
  expect(() => verify(headersOf({ atMs: NOW_MS + offsetMs }))).toThrow(
    `301 s in the ${when}; at most 300 s is allowed`,
  );
  expect(verify(headersOf({ atMs: NOW_MS + offsetMs }), { toleranceSec: 400 }).id).toBe('msg_1');
});

test('a timestamp that is not a number is rejected', () => {
  expect(() => verify({ ...headersOf(), 'webhook-timestamp': 'NaN' })).toThrow('expected seconds since 1970');
});

test.each(['webhook-id', 'webhook-signature', 'quarterjack-fence'])('a missing %s is named', (name) => {
  const { [name]: _, ...headers } = headersOf();
  expect(() => verify(headers)).toThrow(`no header ${name}`);
});

test('a malformed or missing secret never lets a delivery pass', () => {
  for (const secret of ['', 'whsec_', 'AAAA', []]) expect(() => verify(headersOf(), { secret })).toThrow();
});

test.each([undefined, null, '', Buffer.alloc(0)])(
  'a delivery without payload verifies with body %p',
  (body) => {
    const delivery = verifyDelivery(body, headersOf({ body: '' }), { secret: SECRET, nowMs: NOW_MS });
    expect({ body: delivery.body, json: delivery.json() }).toEqual({ body: '', json: undefined });
    expect(() => verifyDelivery(body, headersOf(), { secret: SECRET, nowMs: NOW_MS })).toThrow(
      SignatureError,
    );
  },
);

describe('a mistake of the receiver is a QuarterjackError that says what to pass', () => {
  test.each<[unknown, unknown, unknown, string]>([
    [{ invoice: 42 }, headersOf(), SECRET, 'express.raw'],
    [[1], headersOf(), SECRET, 'not parsed'],
    [BODY, undefined, SECRET, 'pass request.headers'],
    [BODY, headersOf(), undefined, 'the signing secret is missing'],
  ])('%p, %p, %p', (body, headers, secret, message) => {
    const verifying = () =>
      verifyDelivery(body as string, headers as never, { secret: secret as string, nowMs: NOW_MS });
    expect(verifying).toThrow(message);
    expect(verifying).toThrow(QuarterjackError);
    expect(verifying).not.toThrow(SignatureError);
  });

  test('a body that is not JSON', () => {
    const delivery = verify(headersOf({ body: 'text' }), {}, 'text');
    expect(() => delivery.json()).toThrow('the body of the delivery is not JSON');
  });
});
