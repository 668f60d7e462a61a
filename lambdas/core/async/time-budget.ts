/** How long an invocation may still run. A stage stops in time, and the next invocation continues. */
export interface TimeBudget {
  /** Milliseconds until Lambda ends the invocation. */
  remainingMs(): number;
}

const MARGIN_MS = 10_000;

/** Whether there is time for another page. If not, the next invocation continues. */
export const hasTime = ({ remainingMs }: TimeBudget): boolean => remainingMs() >= MARGIN_MS;
