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
  { isLogged, isCut: isBodyCut }: { isLogged: boolean; isCut: boolean },
): Pick<TargetResult, 'body' | 'beyondBody'> {
  const keptBytes = KEPT_BYTES[kept];
  const most = keptBytes + (isLogged ? LOGGED_BYTES : 0);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const shown = redactor.response(bytes, most, { isCut: isBodyCut });
  const body = decoder.decode(shown.subarray(0, keptBytes), { stream: true });
  if (!isLogged || shown.length <= keptBytes) return { body };
  const isCut = bytes.length > most || shown.length > most;
  const text = decoder.decode(shown.subarray(keptBytes, most), { stream: isCut });
  return text === '' ? { body } : { body, beyondBody: { text, isCut } };
}
