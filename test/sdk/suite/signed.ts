import { signHeaders } from '../../../lambdas/core/delivery/signing/signed-headers';
import { sign } from '../../../lambdas/core/delivery/signing/standard-webhooks';

const secretOf = (seed: string): string => `whsec_${Buffer.alloc(32, seed).toString('base64')}`;

export const SECRET = secretOf('the secret of this host');
export const OTHER_SECRET = secretOf('the secret of another host');

interface SignedOptions {
  jobId: string;
  id?: string;
  fence?: number;
  attempt?: number;
  /** Further headers of the delivery, which are signed too. */
  further?: Readonly<Record<string, string>>;
  /** Text as it is sent. */
  body?: string;
  secrets?: readonly string[];
  nowMs?: number;
}

export interface SignedDelivery {
  headers: [name: string, value: string][];
  body: string;
}

/** A delivery as an executor sends it, signed now. */
export function signedDelivery(given: SignedOptions): SignedDelivery {
  const { jobId, id = 'msg_1', fence = 1, attempt = 1, body = '', secrets = [SECRET] } = given;
  const timestampSec = Math.floor((given.nowMs ?? Date.now()) / 1_000);
  const unsigned = {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSec),
    'quarterjack-job': jobId,
    'quarterjack-execution': '20261201T090000.000Z',
    'quarterjack-attempt': String(attempt),
    'quarterjack-fence': String(fence),
    'quarterjack-hop': '1',
    'quarterjack-due': '2026-12-01T09:00:00.000Z',
    ...given.further,
  };
  const signatures = secrets.map((secret) => ({
    body: sign({ id, timestampSec, body, secret }),
    headers: signHeaders(unsigned, secret),
  }));
  const headers = {
    ...unsigned,
    ...(body !== '' && { 'content-type': 'application/json' }),
    'webhook-signature': signatures.map((one) => one.body).join(' '),
    'quarterjack-signature': signatures.map((one) => one.headers).join(' '),
  };
  return { headers: Object.entries(headers), body };
}
