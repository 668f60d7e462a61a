import { jobRefOf } from '../../core/contracts/tables';
import type { AttemptTokenPayload } from '../../core/delivery/attempt-token';
import { Redactor } from '../../core/delivery/secrets/redactor';
import { everyValueOf } from '../../core/delivery/secrets/secret-values';
import type { StoredLine } from '../../core/store/log-store';
import type { ApiDeps } from '../request';

/**
 * Lines without the secrets that the target was sent: workers are sent none. If such a secret is gone, its
 * value cannot be looked for, so no text is kept.
 */
export async function withoutSecrets(
  lines: readonly StoredLine[],
  { lease, secretNames = [] }: AttemptTokenPayload,
  { secrets, sealingKeys: keys, clock }: ApiDeps,
): Promise<StoredLine[]> {
  if (secretNames.length === 0) return [...lines];
  const { userId } = jobRefOf(lease.jobKey);
  const { hidden, unknown } = await everyValueOf(userId, secretNames, {
    secrets,
    keys,
    nowMs: clock.nowMs(),
  });
  const notKept = `[not kept: the value of secret ${unknown.join(', ')} is not known any more]`;
  if (unknown.length > 0) return lines.map((line) => ({ ...line, text: notKept }));
  const texts = new Redactor(hidden).texts(lines.map(({ text }) => text));
  return lines.map((line, index) => ({ ...line, text: texts[index]! }));
}
