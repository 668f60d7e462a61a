/**
 * How a target answered one attempt. `accepted`: it works on, and will report by its token; no answer of a report is one.
 */
export interface TargetResult {
  outcome: 'succeeded' | 'retriable' | 'fatal' | 'accepted';
  /** The policy, not the target, refused the call. */
  blocked?: true;
  statusCode?: number;
  /** At most 2 KB of a failure, 256 bytes of a success. */
  body?: string;
  error?: string;
  /** What the target asked for, in milliseconds from now. */
  retryAfterMs?: number;
}
