import { type Delivery, type LegacyDelivery, verifyDelivery } from '../../../../client';
import { signHeaders } from '../../../../lambdas/core/delivery/signing/signed-headers';
import { sign } from '../../../../lambdas/core/delivery/signing/standard-webhooks';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

function signed(given: Record<string, string>) {
  const headers: Record<string, string> = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1000',
    'quarterjack-job': 'a',
    'quarterjack-execution': 'e',
    'quarterjack-attempt': '1',
    'quarterjack-fence': '1',
    'quarterjack-due': '2026-12-01T09:00:00.000Z',
    ...given,
  };
  headers['webhook-signature'] = sign({ id: headers['webhook-id']!, timestampSec: 1_000, body: '', secret });
  return headers;
}

/** A verified delivery with these headers. */
export function aDelivery(given: Record<string, string> = {}): Delivery {
  const headers = signed(given);
  headers['quarterjack-signature'] = signHeaders(headers, secret);
  return verifyDelivery('', headers, { secret, nowMs: 1_000_000 });
}

/** A delivery whose headers no signature proves. */
export const aLegacyDelivery = (given: Record<string, string> = {}): Delivery | LegacyDelivery =>
  verifyDelivery('', signed(given), { secret, nowMs: 1_000_000, legacy: true });
