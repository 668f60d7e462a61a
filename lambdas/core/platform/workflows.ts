import type { Workflows } from '../deps';
import { beginDue } from '../ending/runs/begin-due';
import { goOnWithRun } from '../ending/runs/go-on-with-run';
import { requeuePausedTask } from '../ending/runs/requeue-paused-task';
import { startRun } from '../ending/runs/start-run';
import { isWanted, taskToDeliver } from '../ending/runs/task-to-deliver';

/** What attempts ask of workflows, in all stages. */
export const workflows: Workflows = {
  taskToDeliver,
  isWanted,
  start: startRun,
  requeue: requeuePausedTask,
  goOn: (run, how, deps) => goOnWithRun(run, { fresh: new Set(), by: 'other', ...how }, deps),
  beginDue,
};
