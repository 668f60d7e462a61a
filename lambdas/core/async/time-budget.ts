/** How long an invocation may still run. A stage stops in time, and the next invocation continues. */
export interface TimeBudget {
  /** Milliseconds that this invocation may still run. */
  remainingMs(): number;
}

const MARGIN_MS = 10_000;

/** Whether there is time for another page. If not, the next invocation continues. */
export const hasTime = ({ remainingMs }: TimeBudget): boolean => remainingMs() >= MARGIN_MS;
