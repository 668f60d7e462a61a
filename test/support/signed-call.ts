import { signHeaders } from '../../lambdas/core/delivery/signing/signed-headers';
import { sign } from '../../lambdas/core/delivery/signing/standard-webhooks';

/** The secret that signs the calls of tests. */
export const CALL_SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

/** The headers of a delivery that is sent now, with both signatures. */
export function signedCall(body: string, given: Record<string, string> = {}): Record<string, string> {
  const timestampSec = Math.floor(Date.now() / 1_000);
  const headers: Record<string, string> = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(timestampSec),
    'quarterjack-job': 'report',
    'quarterjack-execution': '20261201T083000.000Z',
    'quarterjack-attempt': '1',
    'quarterjack-fence': '1',
    'quarterjack-due': '2026-12-01T08:30:00.000Z',
    ...given,
  };
  const id = headers['webhook-id']!;
  headers['webhook-signature'] = sign({ id, timestampSec, body, secret: CALL_SECRET });
  headers['quarterjack-signature'] = signHeaders(headers, CALL_SECRET);
  return headers;
}
