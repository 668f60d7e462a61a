import type { Run } from '../../../domain/execution';
import type { Ending, LeaseOutcome } from '../../execution-store';
import type { TableAccess } from '../access';
import { allOf } from '../expressions';
import { changeToEnd, endRunning } from './end-executions';
import { isRunning } from './lease-condition';

const isAsSeen = '#fence = :seenFence AND #run.#moves = :seenMoves';

/**
 * Key: the run's. Condition: running under the fence seen, and no mark, stop or release since. So an end
 * never overtakes a task that was opened again. Cost: 1 write unit a KB of the row.
 * Lost race: `lease-lost`; whatever moved the run goes on with it. If the SDK retried, an earlier try of this
 * call is recognised by its status and time.
 */
export async function endRun(access: TableAccess, seen: Run, ending: Ending): Promise<LeaseOutcome> {
  const condition = allOf(isRunning, isAsSeen);
  const values = { ':running': 'running', ':seenFence': seen.fence, ':seenMoves': seen.run.moves };
  const answer = await endRunning(access, seen, { condition, values }, changeToEnd(seen, ending), []);
  if (answer.applied) return 'done';
  const { current, retried } = answer;
  const isEarlierTry =
    retried && current?.status === ending.status && current.finishedAtMs === ending.finishedAtMs;
  return isEarlierTry ? 'done' : 'lease-lost';
}
