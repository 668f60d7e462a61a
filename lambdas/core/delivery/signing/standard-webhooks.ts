import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** The parts of a delivery that are signed. `body`: the exact bytes that are sent. */
export interface Signed {
  /** `webhook-id`. Without dots, because dots join the signed parts. */
  id: string;
  /** `webhook-timestamp`, in seconds. */
  timestampSec: number;
  body: Buffer | string;
  /** `whsec_…` */
  secret: string;
}

/**
 * A user's signing secret by Standard Webhooks: `whsec_` and 32 bytes in base64. It is derived and never
 * stored. Each version is another secret.
 */
export function signingSecret(deploymentSecret: Buffer, userId: string, version: number): string {
  const key = createHmac('sha256', deploymentSecret)
    .update(`signing-secret/${version}/${userId}`)
    .digest('base64');
  return PREFIX + key;
}

/**
 * One signature, as in `webhook-signature`: `v1,<base64>`. Throws for an id with a dot or a malformed secret.
 */
export function sign({ id, timestampSec, body, secret }: Signed): string {
  if (id.includes('.')) throw new Error(`a webhook id must not contain a dot: ${JSON.stringify(id)}`);
  if (!secret.startsWith(PREFIX)) throw new Error(`a signing secret starts with ${PREFIX}`);
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestampSec}.`).update(body).digest('base64')}`;
}
