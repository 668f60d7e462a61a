import { afterEnds } from '../alerts/after-ends';
import { mayNotify } from '../alerts/tell-ends';
import { labelsOf } from '../delivery/job-templates/run-labels';
import type { StageDeps } from '../deps';
import type { EndedBy, EndedRow } from '../domain/ended';
import { followUps } from '../domain/follow-ups';
import { isTaskExecution } from '../domain/workflow/task-id';
import { followUpsBy } from '../ending/follow-ups';
import { askAwaits } from '../ending/runs/ask-awaits';
import { beginDue } from '../ending/runs/begin-due';
import { deliveredBy } from '../ending/runs/delivered-by';
import { goOnWithParents } from '../ending/runs/go-on-with-parents';
import { goOnWithRun } from '../ending/runs/go-on-with-run';
import { requeuePausedTask } from '../ending/runs/requeue-paused-task';
import { startRun } from '../ending/runs/start-run';
import { afterTask } from '../ending/runs/task-ends';
import { isWanted, taskToDeliver } from '../ending/runs/task-to-deliver';
import { leaveEnd } from '../ending/leave-end';
import { startWaiters } from '../ending/start-waiters';
import { admit, concern } from '../gates/admission';
import { releaseSlotOf } from '../gates/concurrency-key';
import { releaseOrderingKey } from '../gates/ordering-key';
import { releaseGates } from '../gates/release';

const hasFollowUps = (ended: EndedRow): boolean => followUps(ended).length > 0;

/** Only the sweeper tells notifications: the recheck of an end comes in any case. */
const isNotified = ({ execId }: EndedRow, by: EndedBy): boolean =>
  by === 'sweeper' && !isTaskExecution(execId);

/** What stands behind the ports of dispatch, ends and attempts: those rooms import none of it. */
export const ports: Pick<
  StageDeps,
  'followUps' | 'labelsOf' | 'needsRecheckSoon' | 'leaveEnd' | 'gates' | 'workflows'
> = {
  // In this order: the gates first, and the mark of a task last.
  followUps: followUpsBy(
    [
      { listensTo: hasFollowUps, after: releaseGates },
      { listensTo: hasFollowUps, after: startWaiters },
      { listensTo: hasFollowUps, after: goOnWithParents },
      { listensTo: hasFollowUps, after: askAwaits },
      { listensTo: isNotified, after: afterEnds },
    ],
    afterTask,
  ),
  labelsOf,
  needsRecheckSoon: mayNotify,
  leaveEnd,
  gates: { admit, concern, releaseSlot: releaseSlotOf, releaseOrderingKey },
  workflows: {
    deliveredBy,
    taskToDeliver,
    isWanted,
    start: startRun,
    requeue: requeuePausedTask,
    goOn: (run, how, deps) => goOnWithRun(run, { fresh: new Set(), by: 'other', ...how }, deps),
    beginDue,
  },
};
