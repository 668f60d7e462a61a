import { jobRefOf } from '../../core/contracts/tables';
import type { AttemptTokenPayload } from '../../core/delivery/attempt-token';
import type { HiddenValue } from '../../core/delivery/secrets/needles';
import { Redactor } from '../../core/delivery/secrets/redactor';
import { everyValueOf } from '../../core/delivery/secrets/secret-values';
import { type KEPT_BYTES, keptText } from '../../core/domain/target-result';
import { type Output, outputOf, outputOfText } from '../../core/domain/workflow/output';
import type { Lease } from '../../core/store/execution-store';
import type { ApiDeps } from '../request';

/**
 * The kept beginning of what a target reports, without the secrets that it was sent. If such a secret is
 * gone, its value cannot be looked for, so nothing of the text is kept.
 */
export async function keptReport(
  text: string,
  kept: keyof typeof KEPT_BYTES,
  { lease, secretNames = [] }: AttemptTokenPayload,
  deps: ApiDeps,
): Promise<string> {
  if (secretNames.length === 0) return keptText(text, kept);
  const hidden = await hiddenOf(lease, secretNames, deps);
  if (typeof hidden === 'string') return hidden;
  return keptText(new Redactor(hidden).text(text), kept);
}

/** The whole result that a target reports, as an output without the secrets that it was sent. */
export async function outputOfReport(
  result: unknown,
  { lease, secretNames = [] }: AttemptTokenPayload,
  deps: ApiDeps,
): Promise<Output> {
  const output = outputOf(result);
  if (secretNames.length === 0 || output === 'too-large') return output;
  const hidden = await hiddenOf(lease, secretNames, deps);
  return typeof hidden === 'string' ? outputOf(hidden) : outputOfText(new Redactor(hidden).text(output.json));
}

/** The values to hide, or the text to keep instead of a report in which they cannot be looked for. */
async function hiddenOf(
  { jobKey }: Lease,
  names: readonly string[],
  { secrets, sealingKeys: keys, clock }: ApiDeps,
): Promise<readonly HiddenValue[] | string> {
  const { userId } = jobRefOf(jobKey);
  const { hidden, unknown } = await everyValueOf(userId, names, { secrets, keys, nowMs: clock.nowMs() });
  if (unknown.length === 0) return hidden;
  return `[not kept: the value of secret ${unknown.join(', ')} is not known any more]`;
}
