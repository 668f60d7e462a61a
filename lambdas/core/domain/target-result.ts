import type { PastErrand } from './errand';
import type { Output } from './workflow/output';

/**
 * The result of one attempt at one target. `accepted`: the target responded 202 and will report later with
 * its token. A report itself is never `accepted`.
 */
export interface TargetResult {
  outcome: 'succeeded' | 'retriable' | 'fatal' | 'accepted';
  /** Only a failure has one: see `FailureReason`. */
  reason?: FailureReason;
  statusCode?: number;
  /** What the target returned, as `keptText` cuts it. */
  body?: string;
  error?: string;
  /** What the call waited for when it was aborted, if that is known. */
  phase?: string;
  /** What follows `body` in the response, for the log. Absent: nothing, or nothing that may be kept. */
  beyondBody?: BeyondBody;
  /** What the target returned, for tasks after it. */
  output?: Output;
  /** What an AWS service has done. */
  errand?: PastErrand;
  /** `Retry-After` of the response, in milliseconds from now. */
  retryAfterMs?: number;
  /** When the request of an HTTP call had left, by the clock of the executor. */
  sentAtMs?: number | undefined;
}

/**
 * Why a target has failed. If its execution fails by that, it ends with this reason. Whether it fails, the
 * outcome alone decides.
 *
 * - `blocked-target`: the policy on targets rejected the call, and nothing was sent.
 * - `bad-input`: the job's templates or secrets could not be put in, and nothing was sent.
 * - `bad-auth`: a token endpoint refused the target's credentials, and nothing was sent.
 * - `output-too-large`: the target has succeeded, and its output is too large to be kept.
 * - `unknown-job`, `bad-payload`: the target says so itself.
 */
export type FailureReason =
  | 'blocked-target'
  | 'bad-input'
  | 'bad-auth'
  | 'output-too-large'
  | (typeof SAID_BY_TARGETS)[number];

const SAID_BY_TARGETS = ['unknown-job', 'bad-payload'] as const;

/** The reason that a target has said. Undefined for any other word: the rest is found out here. */
export const reasonSaid = (word: unknown): FailureReason | undefined =>
  SAID_BY_TARGETS.find((one) => one === word);

/** The result of a call that the policy on targets rejects. */
export const blockedCall = (error: string): TargetResult => ({
  outcome: 'fatal',
  reason: 'blocked-target',
  error,
});

/** The result of a call that was aborted. */
export const abortedCall = (phase?: string): TargetResult => ({
  outcome: 'retriable',
  error: `call aborted${inPhase(phase)}`,
  ...(phase !== undefined && { phase }),
});

/** The end of an error that says what a call waited for. */
export const inPhase = (phase: string | undefined): string =>
  phase === undefined ? '' : `, phase: ${phase}`;

/** The part of a response that follows the kept one; `isCut`: the response goes on after it. */
export interface BeyondBody {
  text: string;
  isCut: boolean;
}

/** How many bytes of a response follow the kept ones into the log, at most. */
export const LOGGED_BYTES = 4_096;

/** How many bytes are kept of what a target returned or reported, and of the name of a step. */
export const KEPT_BYTES = { ofSuccess: 256, ofFailure: 2_048, ofStep: 64 } as const;

/** The kept beginning of a text in UTF-8. A character that would be cut in half is left out. */
export const keptText = (text: string | Uint8Array, kept: keyof typeof KEPT_BYTES): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, KEPT_BYTES[kept]), {
    stream: true,
  });
