import { type ExecutionMessage, isOrdered } from '../contracts/messages';
import type { Execution } from '../domain/execution';
import { isTerminal } from '../domain/transitions';
import { isFinished } from '../history/coverage';
import type { StageDeps } from '../deps';
import { releaseOrderingKey } from './release';
import { type Admission, acquireOverlapLock, applyOverlapPolicy } from './overlap';
import { acquireOrderingKey } from './ordering-key';

/**
 * Settles, before the claim, whether an execution may go: first its turn in its ordering key, then its job, always in this
 * order, so that no two wait for each other. What has to wait for its turn still meets its job's overlap policy.
 */
export async function admit(message: ExecutionMessage, deps: StageDeps): Promise<Admission> {
  if (!isOrdered(message)) return acquireOverlapLock(message, deps);
  const turn = await acquireOrderingKey(message, deps);
  if (turn === 'wait') await applyOverlapPolicy(message, deps);
  if (turn !== 'go') return 'stop';
  const admission = await acquireOverlapLock(message, deps);
  if (admission === 'stop') await releaseIfFinished(message, undefined, deps);
  return admission;
}

/** Where an execution that has its turn could not be claimed: if it is over, its hand-over may have been cut off. */
export async function releaseIfFinished(
  message: ExecutionMessage,
  current: Execution | undefined,
  deps: StageDeps,
): Promise<void> {
  if (!isOrdered(message)) return;
  const row = current ?? (await deps.executions.get(message));
  const over = row ? isTerminal(row.status) && !row.blocksKey : await isFinished(message, deps);
  if (over) await releaseOrderingKey(message, deps);
}
