/**
 * How a target answered one attempt. `accepted`: it works on, and will report by its token; no answer of a report is one.
 */
export interface TargetResult {
  outcome: 'succeeded' | 'retriable' | 'fatal' | 'accepted';
  /** The policy, not the target, refused the call. */
  blocked?: true;
  statusCode?: number;
  /** What the target returned, as `keptText` cuts it. */
  body?: string;
  error?: string;
  /** What the target asked for, in milliseconds from now. */
  retryAfterMs?: number;
}

/** How many bytes are kept of what a target returned or reported. */
export const KEPT_BYTES = { ofSuccess: 256, ofFailure: 2_048 } as const;

/** The kept beginning of a text in UTF-8. A character that would be cut in half is left out. */
export const keptText = (text: string | Uint8Array, kept: keyof typeof KEPT_BYTES): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, KEPT_BYTES[kept]), {
    stream: true,
  });
