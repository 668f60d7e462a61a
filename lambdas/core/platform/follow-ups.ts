import { afterEnds } from '../alerts/after-ends';
import type { EndedBy, EndedRow } from '../domain/ended';
import { followUps } from '../domain/follow-ups';
import { isTaskExecution } from '../domain/workflow/task-id';
import { followUpsBy } from '../ending/follow-ups';
import { afterTask } from '../ending/runs/after-task';
import { askAwaits } from '../ending/runs/ask-awaits';
import { goOnWithParents } from '../ending/runs/go-on-with-parents';
import { startWaiters } from '../ending/start-waiters';
import { releaseGates } from '../gates/release';

const hasFollowUps = (ended: EndedRow): boolean => followUps(ended).length > 0;

/** Only the sweeper tells notifications: the recheck of an end comes in any case. */
const isNotified = ({ execId }: EndedRow, by: EndedBy): boolean =>
  by === 'sweeper' && !isTaskExecution(execId);

/** What follows ends in all stages: the gates first, and the mark of a task last. */
export const followUpsOfEnds = followUpsBy(
  [
    { listensTo: hasFollowUps, after: releaseGates },
    { listensTo: hasFollowUps, after: startWaiters },
    { listensTo: hasFollowUps, after: goOnWithParents },
    { listensTo: hasFollowUps, after: askAwaits },
    { listensTo: isNotified, after: afterEnds },
  ],
  afterTask,
);
