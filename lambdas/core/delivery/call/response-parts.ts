import { KEPT_BYTES, LOGGED_BYTES, type TargetResult } from '../../domain/target-result';
import type { Redactor } from '../secrets/redactor';

/**
 * The part of a response that its attempt keeps, and what of the rest may go into the log: `LOGGED_BYTES` at
 * most. A character at the border belongs to the second part as a whole.
 *
 * @param bytes the response, read beyond what is needed as `redactor` asks
 */
export function responseParts(
  bytes: Buffer,
  kept: keyof typeof KEPT_BYTES,
  redactor: Redactor,
  { isLogged }: { isLogged: boolean },
): Pick<TargetResult, 'body' | 'beyondBody'> {
  const keptBytes = KEPT_BYTES[kept];
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const first = redactor.bytes(bytes, keptBytes).subarray(0, keptBytes);
  const body = decoder.decode(first, { stream: true });
  if (!isLogged || bytes.length <= keptBytes) return { body };
  const most = keptBytes + LOGGED_BYTES;
  const rest = redactor.bytes(bytes, most).subarray(first.length);
  const isCut = bytes.length > most || rest.length > LOGGED_BYTES;
  const text = decoder.decode(rest.subarray(0, LOGGED_BYTES), { stream: isCut });
  return text === '' ? { body } : { body, beyondBody: { text, isCut } };
}
