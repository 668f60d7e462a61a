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
 * A signing secret by Standard Webhooks: `whsec_` and 32 bytes in base64. It is derived and never stored.
 * Each version is another secret.
 *
 * @param host whose calls it signs, as `signingHostOf` returns it; absent: the project's legacy secret
 */
export function signingSecret(
  deploymentSecret: Buffer,
  userId: string,
  version: number,
  host?: string,
): string {
  // A host has no slash, and the project comes last: so neither can be mistaken for a part of the other.
  const name =
    host === undefined
      ? `signing-secret/${version}/${userId}`
      : `host-signing-secret/${version}/${host}/${userId}`;
  return PREFIX + createHmac('sha256', deploymentSecret).update(name).digest('base64');
}

/** The key in a secret. Throws for a text without its prefix. */
export function keyOf(secret: string): Buffer {
  if (!secret.startsWith(PREFIX)) throw new Error(`a signing secret starts with ${PREFIX}`);
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}

/**
 * One signature, as in `webhook-signature`: `v1,<base64>`. Throws for an id with a dot or a malformed secret.
 */
export function sign({ id, timestampSec, body, secret }: Signed): string {
  if (id.includes('.')) throw new Error(`a webhook id must not contain a dot: ${JSON.stringify(id)}`);
  return `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestampSec}.`).update(body).digest('base64')}`;
}
