import { type EXECUTION_STATUSES, TERMINAL_STATUSES } from '../contracts/execution-statuses';

/**
 * The state machine of an execution. `docs/state-machine.md` draws it, and a test compares the two.
 * `scheduled`, and `queued` of a planned occurrence, are derived: there is an entry and no row yet.
 */
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

export const isTerminal = (status: ExecutionStatus): status is TerminalStatus =>
  (TERMINAL_STATUSES as readonly string[]).includes(status);

interface Transition {
  from: ExecutionStatus;
  to: ExecutionStatus;
  /** The cause; the label of the arrow in the diagram. */
  by: string;
}

export const TRANSITIONS: readonly Transition[] = [
  { from: 'scheduled', to: 'queued', by: 'due' },
  { from: 'scheduled', to: 'cancelled', by: 'user' },
  { from: 'scheduled', to: 'skipped', by: 'policy' },
  { from: 'scheduled', to: 'succeeded', by: 'approval or ping' },
  { from: 'scheduled', to: 'failed', by: 'rejection, bad input, no worker or no ping' },
  { from: 'queued', to: 'running', by: 'claim' },
  { from: 'queued', to: 'cancelled', by: 'user' },
  { from: 'queued', to: 'skipped', by: 'policy' },
  { from: 'queued', to: 'failed', by: 'no worker' },
  { from: 'running', to: 'succeeded', by: 'finish' },
  { from: 'running', to: 'failed', by: 'finish' },
  { from: 'running', to: 'cancelled', by: 'user' },
  { from: 'running', to: 'skipped', by: 'job read after the claim' },
  { from: 'running', to: 'retrying', by: 'retriable outcome or takeover' },
  { from: 'retrying', to: 'running', by: 'claim' },
  { from: 'retrying', to: 'failed', by: 'exhausted' },
  { from: 'retrying', to: 'cancelled', by: 'user, pause or delete' },
  { from: 'retrying', to: 'skipped', by: 'policy' },
  { from: 'succeeded', to: 'retrying', by: 'user retry' },
  { from: 'failed', to: 'retrying', by: 'user retry' },
  { from: 'cancelled', to: 'retrying', by: 'user retry' },
  { from: 'skipped', to: 'retrying', by: 'user retry' },
];

/** Every status from which `to` may be reached: the condition of a write to `to`. */
export const statusesBefore = (to: ExecutionStatus): ExecutionStatus[] =>
  TRANSITIONS.filter((transition) => transition.to === to).map((transition) => transition.from);
