/**
 * The result of one attempt at one target. `accepted`: the target responded 202 and will report later with
 * its token. A report itself is never `accepted`.
 */
export interface TargetResult {
  outcome: 'succeeded' | 'retriable' | 'fatal' | 'accepted';
  /** The policy on targets rejected the call: nothing was sent. */
  blocked?: true;
  statusCode?: number;
  /** The first 256 bytes of a success, or 2 KB of a failure. */
  body?: string;
  error?: string;
  /** `Retry-After` of the response, in milliseconds from now. */
  retryAfterMs?: number;
}
