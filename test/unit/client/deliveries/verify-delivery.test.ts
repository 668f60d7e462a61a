import { Webhook } from 'standardwebhooks';

import { type DeliveryHeaders, QuarterjackError, SignatureError, verifyDelivery } from '../../../../client';
import { signHeaders } from '../../../../lambdas/core/delivery/signing/signed-headers';
import { SIGNED_AT_MS, signedDeliveries } from '../../../support/signed-deliveries';

const SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('fedcba9876543210fedcba9876543210').toString('base64')}`;
const NOW_MS = Date.parse('2026-12-01T09:00:00Z');
const BODY = '{ "invoice": 42, "text": "Grüße" }';

/** Headers of a delivery. The public Standard Webhooks library signs the body. */
function headersOf({
  secrets = [SECRET],
  legacy = [] as string[],
  atMs = NOW_MS,
  body = BODY,
  more = {} as Record<string, string>,
} = {}): Record<string, string> {
  const at = new Date(atMs);
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(atMs / 1_000)),
    'quarterjack-job': 'invoice-42',
    'quarterjack-execution': '20261201T090000.000Z',
    'quarterjack-attempt': '2',
    'quarterjack-fence': '3',
    'quarterjack-due': '2026-12-01T09:00:00.000Z',
    ...more,
  };
  const bodySignatures = [...legacy, ...secrets].map((secret) => new Webhook(secret).sign('msg_1', at, body));
  return {
    ...headers,
    'webhook-signature': bodySignatures.join(' '),
    ...(secrets.length > 0 && {
      'quarterjack-signature': secrets.map((secret) => signHeaders(headers, secret)).join(' '),
    }),
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
    headersSigned: true,
  });
  expect(json()).toEqual({ invoice: 42, text: 'Grüße' });
});

test('headers can be Headers, lists, or in any letter case; the body can be bytes', () => {
  expect(verify(new Headers(headersOf())).id).toBe('msg_1');
  const inUpperCase = Object.fromEntries(
    Object.entries(headersOf()).map(([name, value]) => [name.toUpperCase(), [value]]),
  );
  expect(verify(inUpperCase, {}, Buffer.from(BODY)).id).toBe('msg_1');
  expect(verify(Object.entries(headersOf())).id).toBe('msg_1');
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

test.each(['webhook-id', 'webhook-signature', 'quarterjack-signature'])('a missing %s is named', (name) => {
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

test.each(signedDeliveries)('$name: signed by another implementation', ({ hostSecrets, body, headers }) => {
  for (const secret of hostSecrets) {
    const delivery = verifyDelivery(body, headers, { secret, nowMs: SIGNED_AT_MS });
    expect(delivery).toMatchObject({ id: headers['webhook-id'], fence: 3, body, headersSigned: true });
  }
});

describe('the quarterjack-… headers are as they were signed', () => {
  const more = { 'quarterjack-callback': 'https://api.test/v1/attempts', 'quarterjack-token': 'token' };
  const genuine = headersOf({ more });
  const without = (name: string) =>
    Object.fromEntries(Object.entries(genuine).filter(([given]) => given !== name));

  test.each<[string, DeliveryHeaders]>([
    ['a changed fence', { ...genuine, 'quarterjack-fence': '9007199254740991' }],
    ['a changed job', { ...genuine, 'quarterjack-job': 'pay-invoices' }],
    ['a changed callback', { ...genuine, 'quarterjack-callback': 'https://evil.test/' }],
    ['an added header', { ...genuine, 'quarterjack-target': '1' }],
    ['a removed header', without('quarterjack-token')],
    ['no signature of the headers', without('quarterjack-signature')],
    [
      'a signature of the body in its place',
      { ...genuine, 'quarterjack-signature': genuine['webhook-signature'] },
    ],
    ['a list with two values', { ...genuine, 'quarterjack-fence': ['3', '3'] }],
    ['two names that differ in case', { ...genuine, 'Quarterjack-Fence': '3' }],
    ['a pair that is given twice', [...Object.entries(genuine), ['quarterjack-fence', '3']]],
    ['values that Node.js has joined', { ...genuine, 'quarterjack-fence': '3, 3' }],
    ['two signatures that Node.js has joined', doubled(genuine, 'quarterjack-signature', ', ')],
    ['two signatures that Lambda has joined', doubled(genuine, 'webhook-signature', ',')],
    [
      'two headers folded into one',
      {
        ...without('quarterjack-callback'),
        'quarterjack-attempt': `2\nquarterjack-callback:${more['quarterjack-callback']}`,
      },
    ],
  ])('%s is rejected', (_name, headers) => expect(() => verify(headers)).toThrow(SignatureError));

  test('by the secret that signed the body, not by another one of the receiver', () => {
    const headers = {
      ...headersOf(),
      'webhook-signature': headersOf({ secrets: [OTHER] })['webhook-signature'],
    };
    expect(() => verify(headers, { secret: [SECRET, OTHER] })).toThrow(SignatureError);
  });
});

function doubled(headers: Record<string, string>, name: string, separator: string): Record<string, string> {
  return { ...headers, [name]: [headers[name], headers[name]].join(separator) };
}

describe('a legacy secret', () => {
  const headers = headersOf({ legacy: [OTHER] });

  test('is accepted only on request, and then says that the headers are not signed', () => {
    expect(() => verify(headers, { secret: OTHER })).toThrow('a legacy secret needs { legacy: true }');
    expect(verify(headers, { secret: OTHER, legacy: true })).toMatchObject({
      fence: 3,
      headersSigned: false,
    });
    const alone = headersOf({ secrets: [], legacy: [OTHER] });
    expect(verify(alone, { secret: OTHER, legacy: true }).headersSigned).toBe(false);
  });

  test('beside that of the host: the headers are signed, unless they were changed', () => {
    const options = { secret: [OTHER, SECRET], legacy: true };
    expect(verify(headers, options).headersSigned).toBe(true);
    expect(verify({ ...headers, 'quarterjack-fence': '9' }, options).headersSigned).toBe(false);
  });
});

test.each([
  ['quarterjack-fence', ['0', '-1', '1.5', 'x', '9007199254740992']],
  ['quarterjack-attempt', ['0', '1e3']],
  ['quarterjack-due', ['soon']],
])('a signed %s that is none is rejected', (name, values) => {
  for (const value of values)
    expect(() => verify(headersOf({ more: { [name]: value } }))).toThrow(SignatureError);
});

test('nothing can change a verified delivery', () => {
  const delivery = verify(headersOf());
  expect(() => Object.assign(delivery, { fence: 9 })).toThrow(TypeError);
});

describe('the Request of fetch', () => {
  const request = (body: string | undefined, headers = headersOf({ body: body ?? '' })) =>
    new Request('https://example.com/hook', { method: 'POST', headers, body });

  test('is verified with its body', async () => {
    const delivery = await verifyDelivery(request(BODY), { secret: SECRET, nowMs: NOW_MS });
    expect(delivery).toMatchObject({ id: 'msg_1', body: BODY });
    const empty = await verifyDelivery(request(undefined), { secret: SECRET, nowMs: NOW_MS });
    expect(empty.json()).toBeUndefined();
  });

  test('is rejected like any other delivery', async () => {
    const other = request(BODY, headersOf({ body: '' }));
    await expect(verifyDelivery(other, { secret: SECRET, nowMs: NOW_MS })).rejects.toThrow(SignatureError);
  });

  test('that was read before is a mistake of the receiver', async () => {
    const read = request(BODY);
    await read.text();
    await expect(verifyDelivery(read, { secret: SECRET })).rejects.toThrow('was read before');
  });
});
