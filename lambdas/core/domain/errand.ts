import type { Reason } from './reason';
import type { TerminalStatus } from './transitions';

/** The kinds of errands, by the types of their targets. */
export const ERRAND_TYPES = ['stepfunctions'] as const;
export type ErrandType = (typeof ERRAND_TYPES)[number];

/** An errand, as the lease says that is delegated to it. */
export interface Errand {
  type: ErrandType;
  /** It stays, however often the errand is started. */
  name: string;
  /** ARN of what was started. */
  resource: string;
  /** When it was first about to be started: its time counts from here. */
  firstStartAtMs: number;
  /** It may run, or not: a start got no answer, or its executor is lost. */
  unresolved?: true;
  /** Its sight was lost, and a user has run the execution again: an end that is no success starts another. */
  again?: true;
  /** How the execution ends once the errand has been seen to end. */
  endsAs?: { status: TerminalStatus; reason?: Reason };
}
