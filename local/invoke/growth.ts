/** What a function's pool of environments looks like to an event that waits for one of them. */
export interface Waiting {
  /** Environments, those that start included. */
  environments: number;
  starting: number;
  /** The share of the last moments in which its environments have worked, on average. */
  workingShare: number;
  /** How long the event has waited. */
  waitedMs: number;
  /** Whether one more thread would do more work on this machine. */
  hasRoom: boolean;
}

/** Each start takes a quarter of a second of a processor: two at once would delay what runs. */
const MAX_STARTING = 1;
/** Below this share, the environments wait for something else than a processor, such as slow targets. */
const MOSTLY_WAITING = 0.5;
/** However busy the machine is, an event waits no longer than this for a further environment. */
const MAX_WAIT_MS = 5_000;

/**
 * Whether an event gets a further environment, or waits for one that becomes free. More threads than
 * processors do no more work: each of them needs memory, and compiles the same code again.
 */
export function mayStart({ environments, starting, workingShare, waitedMs, hasRoom }: Waiting): boolean {
  if (environments === 0) return true;
  if (starting >= MAX_STARTING) return false;
  return hasRoom || workingShare < MOSTLY_WAITING || waitedMs >= MAX_WAIT_MS;
}
