import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** A delivery as it is signed: the exact bytes that are sent. */
export interface Signed {
  /** `webhook-id`; no dots, because dots join what is signed. */
  id: string;
  /** `webhook-timestamp`, in seconds. */
  timestampSec: number;
  body: Buffer | string;
  /** `whsec_…` */
  secret: string;
}

/**
 * A user's signing secret, by Standard Webhooks: `whsec_` and 32 bytes in base64. Derived, hence never
 * stored; another version is another secret.
 */
export function signingSecret(deploymentSecret: Buffer, userId: string, version: number): string {
  const key = createHmac('sha256', deploymentSecret)
    .update(`signing-secret/${version}/${userId}`)
    .digest('base64');
  return PREFIX + key;
}

/** One signature, as in `webhook-signature`: `v1,<base64>`. */
export function sign({ id, timestampSec, body, secret }: Signed): string {
  if (id.includes('.')) throw new Error(`a webhook id must not contain a dot: ${JSON.stringify(id)}`);
  if (!secret.startsWith(PREFIX)) throw new Error(`a signing secret starts with ${PREFIX}`);
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestampSec}.`).update(body).digest('base64')}`;
}
