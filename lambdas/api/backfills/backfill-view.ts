import { instantText } from '../../core/clock/clock';
import { jobRefOf, parseCompactInstant } from '../../core/contracts/tables';
import { type Execution, isRun } from '../../core/domain/execution';
import { isTerminal } from '../../core/domain/transitions';
import { BACKFILL_TASK } from '../../core/domain/workflow/backfill';
import { graphOfRun } from '../../core/ending/runs/mark-task';
import type { BackfillView } from '../../core/http/backfill-answers';
import type { PlannedBackfill } from '../../core/store/backfill-store';
import { runView } from '../executions/execution-view';
import type { ApiDeps } from '../request';
import { optionalInstant, readTasks, taskView } from '../runs/task-view';
import { planView } from './plan-backfill';

/** A backfill, by the row of its run and by what was counted when it was asked for. */
export async function backfillView(
  run: Execution,
  planned: PlannedBackfill,
  deps: ApiDeps,
): Promise<BackfillView> {
  const { fromMs, toMs, count, parallel, ...asked } = run.backfill!;
  const state = run.run && runView(run, run.run);
  const given = run.hasParams ? await deps.runInputs.get(run) : undefined;
  return {
    jobId: jobRefOf(run.jobKey).jobId,
    execId: run.execId,
    status: run.status,
    reason: run.reason ?? null,
    phase: phaseOf(run),
    from: instantText(fromMs),
    to: instantText(toMs),
    ...asked,
    ...(given && { params: given.params }),
    ...planView({ count, parallel }, planned),
    items: await itemsOf(run, count, deps),
    taskId: BACKFILL_TASK,
    createdAt: instantText(parseCompactInstant(run.execId)),
    startedAt: state?.startedAt ?? null,
    finishedAt: optionalInstant(run.finishedAtMs),
    heldAt: state?.heldAt ?? null,
    by: run.userRequest?.by ?? null,
  };
}

/** A run that has ended and is about to start again has a state still. */
function phaseOf(run: Execution): BackfillView['phase'] {
  if (isTerminal(run.status)) return 'ended';
  return run.status === 'running' && run.run ? runView(run, run.run).phase : 'starting';
}

/** Before its dates are laid out, all of them wait. */
async function itemsOf(run: Execution, count: number, deps: ApiDeps): Promise<BackfillView['items']> {
  const none = { count, succeeded: 0, failed: 0, cancelled: 0, running: 0, waiting: count };
  if (!isRun(run)) return none;
  const found = { run, graph: await graphOfRun(run, deps) };
  const index = found.graph.indexOf.get(BACKFILL_TASK)!;
  return taskView(await readTasks(found, [index], deps), index).items ?? none;
}
