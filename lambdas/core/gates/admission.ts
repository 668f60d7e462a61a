import { type ExecutionMessage, isOrdered } from '../contracts/messages';
import type { Execution } from '../domain/execution';
import { isTerminal } from '../domain/transitions';
import { isOver } from '../history/coverage';
import type { DispatchDeps } from '../deps';
import { leaveLine } from './release';
import { type Admission, admitToJob, meetHolder } from './overlap';
import { takeTurn } from './ordering-key';

/**
 * Settles, before the claim, whether an execution may go: first its turn in its ordering key, then its job, always in this
 * order, so that no two wait for each other. What has to wait for its turn still meets its job's overlap policy.
 */
export async function admit(message: ExecutionMessage, deps: DispatchDeps): Promise<Admission> {
  if (!isOrdered(message)) return admitToJob(message, deps);
  const turn = await takeTurn(message, deps);
  if (turn === 'wait') await meetHolder(message, deps);
  if (turn !== 'go') return 'stop';
  const admission = await admitToJob(message, deps);
  if (admission === 'stop') await passOn(message, undefined, deps);
  return admission;
}

/** Where an execution that has its turn could not be claimed: if it is over, its hand-over may have been cut off. */
export async function passOn(
  message: ExecutionMessage,
  current: Execution | undefined,
  deps: DispatchDeps,
): Promise<void> {
  if (!isOrdered(message)) return;
  const row = current ?? (await deps.executions.get(message));
  const over = row ? isTerminal(row.status) && !row.blocksKey : await isOver(message, deps);
  if (over) await leaveLine(message, deps);
}
