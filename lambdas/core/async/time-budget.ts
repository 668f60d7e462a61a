/** What is left of the invocation in which a scan or a sweep runs. */
export interface TimeLeft {
  /** Milliseconds that this invocation may still run. */
  remainingMs(): number;
}

const MARGIN_MS = 10_000;

/** Whether another page may be begun; what is left else is for the next invocation. */
export const hasTime = ({ remainingMs }: TimeLeft): boolean => remainingMs() >= MARGIN_MS;
