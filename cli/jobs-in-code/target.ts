import { durationOf } from '../flag-values';
import { CliError } from '../exit-codes';
import type { Definition } from '../schedules-as-code/definition';

export interface TargetFlags {
  target?: string;
  queue?: string;
  lambda?: string;
}

const DEFAULT_TIMEOUT = '5m';
/** The longest call of a target that is waited for. */
const MAX_CALL_MS = 14 * 60_000;

/** What is called of a definition, by the flag that says where its program runs. */
export type TargetOf = (definition: Definition) => Definition;

/** Throws a `CliError` unless exactly one flag is given. */
export function targetOf({ target: url, queue, lambda }: TargetFlags): TargetOf {
  if ([url, queue, lambda].filter((one) => one !== undefined).length !== 1)
    throw new CliError('say where the program runs, by one of --target URL, --queue NAME and --lambda ARN');
  if (queue !== undefined) return () => ({ type: 'worker', queue });
  if (lambda !== undefined) return () => ({ type: 'lambda', functionArn: lambda, observe: true });
  return ({ timeout }) => ({ type: 'http', url, timeout: callTimeOf(timeout), observe: true });
}

/** The whole attempt is one call, so it takes as long. What the API rejects itself is left to it. */
function callTimeOf(timeout: unknown): string {
  if (typeof timeout !== 'string') return DEFAULT_TIMEOUT;
  if (durationOf('timeout', timeout) > MAX_CALL_MS)
    throw new CliError(
      `timeout is ${timeout}: a call takes at most 14m; longer work needs a worker: --queue`,
    );
  return timeout;
}
