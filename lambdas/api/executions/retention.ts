/** DynamoDB removes a row some day after its time: until then it is not to be seen. */
export const isRetained = ({ expiresAtSec }: { expiresAtSec?: number }, nowMs: number): boolean =>
  expiresAtSec === undefined || expiresAtSec * 1_000 > nowMs;
