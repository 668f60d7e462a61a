import type { Chance } from '../core/clock/chance';
import type { DispatchDeps } from '../core/dispatch/deps';
import type { Target } from '../core/domain/job';
import type { Delivery } from './delivery';

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

/** Calls a target once. Settles soon after `signal` aborts; never throws for what the target does. */
export type CallTarget = (target: Target, delivery: Delivery, signal: AbortSignal) => Promise<Answer>;

export interface ExecutorDeps extends DispatchDeps {
  chance: Chance;
  call: CallTarget;
  /** The user's signing secret (`whsec_…`). */
  signingSecret(userId: string): Promise<string>;
}

export interface ExecutorLimits {
  /** Milliseconds that this invocation may still run. */
  remainingMs(): number;
}
