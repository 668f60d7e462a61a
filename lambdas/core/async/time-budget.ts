/** What is left of the invocation in which a scan or a sweep runs. */
export interface TimeBudget {
  /** Milliseconds that this invocation may still run. */
  remainingMs(): number;
}

const MARGIN_MS = 10_000;

/** Whether another page may be begun; what is left else is for the next invocation. */
export const hasTime = ({ remainingMs }: TimeBudget): boolean => remainingMs() >= MARGIN_MS;
