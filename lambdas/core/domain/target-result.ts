import type { Output } from './workflow/output';

/**
 * The result of one attempt at one target. `accepted`: the target responded 202 and will report later with
 * its token. A report itself is never `accepted`.
 */
export interface TargetResult {
  outcome: 'succeeded' | 'retriable' | 'fatal' | 'accepted';
  /** The policy on targets rejected the call: nothing was sent. */
  blocked?: true;
  /** The job's templates or secrets could not be put in: nothing was sent. */
  badInput?: true;
  /** A token endpoint refused the target's credentials: nothing was sent. */
  badAuth?: true;
  statusCode?: number;
  /** What the target returned, as `keptText` cuts it. */
  body?: string;
  error?: string;
  /** What the target returned, for tasks after it. */
  output?: Output;
  /** The target has succeeded, and its output is too large to be kept. */
  outputTooLarge?: true;
  /** `Retry-After` of the response, in milliseconds from now. */
  retryAfterMs?: number;
}

/** How many bytes are kept of what a target returned or reported. */
export const KEPT_BYTES = { ofSuccess: 256, ofFailure: 2_048 } as const;

/** The kept beginning of a text in UTF-8. A character that would be cut in half is left out. */
export const keptText = (text: string | Uint8Array, kept: keyof typeof KEPT_BYTES): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, KEPT_BYTES[kept]), {
    stream: true,
  });
