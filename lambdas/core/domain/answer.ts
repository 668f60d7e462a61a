/** How a target answered one attempt. */
export interface Answer {
  outcome: 'succeeded' | 'retriable' | 'fatal';
  /** The policy, not the target, refused the call. */
  blocked?: true;
  statusCode?: number;
  /** At most 2 KB of a failure, 256 bytes of a success. */
  body?: string;
  error?: string;
  /** What the target asked for, in milliseconds from now. */
  retryAfterMs?: number;
}
