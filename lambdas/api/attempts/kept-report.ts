import { jobRefOf } from '../../core/contracts/tables';
import type { AttemptTokenPayload } from '../../core/delivery/attempt-token';
import { Redactor } from '../../core/delivery/secrets/redactor';
import { everyValueOf } from '../../core/delivery/secrets/secret-values';
import { KEPT_BYTES, keptText } from '../../core/domain/target-result';
import type { ApiDeps } from '../request';

/**
 * The kept beginning of what a target reports, without the secrets that it was sent. If such a secret is
 * gone, its value cannot be looked for, so nothing of the text is kept.
 */
export async function keptReport(
  text: string,
  kept: keyof typeof KEPT_BYTES,
  { lease, secretNames = [] }: AttemptTokenPayload,
  { secrets, sealingKeys: keys, clock }: ApiDeps,
): Promise<string> {
  if (secretNames.length === 0) return keptText(text, kept);
  const { userId } = jobRefOf(lease.jobKey);
  const { hidden, unknown } = await everyValueOf(userId, secretNames, {
    secrets,
    keys,
    nowMs: clock.nowMs(),
  });
  if (unknown.length > 0)
    return `[not kept: the value of secret ${unknown.join(', ')} is not known any more]`;
  return keptText(new Redactor(hidden).bytes(Buffer.from(text, 'utf8'), KEPT_BYTES[kept]), kept);
}
