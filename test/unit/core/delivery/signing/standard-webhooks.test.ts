import { Webhook, WebhookVerificationError } from 'standardwebhooks';

import { systemClock } from '../../../../../lambdas/core/clock/system-clock';
import { FIRST_SECRET_VERSION } from '../../../../../lambdas/core/domain/secret-versions';
import { sign, signingSecret } from '../../../../../lambdas/core/delivery/signing/standard-webhooks';

const DEPLOYMENT_SECRET = Buffer.alloc(32, 1);
const secret = signingSecret(DEPLOYMENT_SECRET, 'alice', FIRST_SECRET_VERSION);

describe('a signature', () => {
  const body = '{"invoice":42,"name":"Zoë"}';
  // the library accepts five minutes of difference to the wall clock
  const timestampSec = Math.floor(systemClock.nowMs() / 1_000);
  const headers = (signature: string) => ({
    'webhook-id': 'id-1',
    'webhook-timestamp': String(timestampSec),
    'webhook-signature': signature,
  });

  it('is accepted by the reference library, for text and for bytes', () => {
    const text = sign({ id: 'id-1', timestampSec, body, secret });
    expect(sign({ id: 'id-1', timestampSec, body: Buffer.from(body), secret })).toBe(text);
    expect(new Webhook(secret).verify(body, headers(text))).toEqual(JSON.parse(body));
    expect(new Webhook(secret).sign('id-1', new Date(timestampSec * 1_000), body)).toBe(text);
  });

  it('is rejected if a byte, the id, the time or the secret differs', () => {
    const signature = sign({ id: 'id-1', timestampSec, body, secret });
    const other = signingSecret(DEPLOYMENT_SECRET, 'bob', FIRST_SECRET_VERSION);
    expect(() => new Webhook(secret).verify(body.replace('42', '43'), headers(signature))).toThrow(
      WebhookVerificationError,
    );
    expect(() => new Webhook(secret).verify(body, { ...headers(signature), 'webhook-id': 'id-2' })).toThrow(
      WebhookVerificationError,
    );
    expect(() =>
      new Webhook(secret).verify(body, {
        ...headers(signature),
        'webhook-timestamp': String(timestampSec - 1),
      }),
    ).toThrow(WebhookVerificationError);
    expect(() => new Webhook(other).verify(body, headers(signature))).toThrow(WebhookVerificationError);
  });

  it('matches a known answer', () => {
    const known = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampSec: 1_614_265_330,
      body: '{"test": 2432232314}',
    };
    expect(sign({ ...known, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  it('is not made for an id with a dot, or with a malformed secret', () => {
    expect(() => sign({ id: 'a.b', timestampSec, body, secret })).toThrow(/dot/);
    expect(() => sign({ id: 'a', timestampSec, body, secret: 'abc' })).toThrow(/whsec_/);
  });
});

describe('a user’s secret', () => {
  it('has 32 bytes, and differs for each user, version and deployment', () => {
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    const others = [
      signingSecret(DEPLOYMENT_SECRET, 'alice', 2),
      signingSecret(DEPLOYMENT_SECRET, 'bob', 1),
      signingSecret(DEPLOYMENT_SECRET, '1/alice', 1),
      signingSecret(Buffer.alloc(32, 2), 'alice', 1),
    ];
    expect(new Set([secret, ...others]).size).toBe(5);
    expect(signingSecret(DEPLOYMENT_SECRET, 'alice', 1)).toBe(secret);
  });
});
