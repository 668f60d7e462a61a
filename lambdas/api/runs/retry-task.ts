import { RetryTaskBody } from '../../core/http/workflow-queries';
import { derive } from '../../core/domain/workflow/derive';
import { reopened } from '../../core/domain/workflow/reopen';
import { isAlive } from '../../core/domain/workflow/task-eligibility';
import { goOnWithRun } from '../../core/ending/runs/go-on-with-run';
import { fileRecheck } from '../executions/file-recheck';
import { readOptionalBody } from '../http/parse-request';
import { conflict } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { detailOf } from './approve-task';
import { findTask, type FoundTask } from './find-run';
import { checkRunning, tooFast } from './pause-run';
import { requireApproveScope } from './skip-task';

const MAX_TRIES = 10;

/**
 * 202: a task of a running run that has ended runs again, in its next round, and what follows on it too.
 * Order of writes: the entry of the run's recheck → the run → the messages.
 */
export async function retryTask(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { mode = 'failed' } = readOptionalBody(request, RetryTaskBody);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = await findTask(request, deps);
    if (mode !== 'failed' && found.graph.tasks.some(({ task }) => task.approval))
      requireApproveScope(request);
    if (await reopen(found, mode, deps)) return detailOf(request, deps, 202);
  }
  throw tooFast();
}

/** False if the run has changed meanwhile. */
async function reopen(
  { run, graph, task }: FoundTask,
  mode: 'failed' | 'from' | 'only',
  deps: ApiDeps,
): Promise<boolean> {
  checkRunning(run);
  if (run.run.stop) throw conflict('the run is stopping; retry the run once it has ended');
  const nowMs = deps.clock.nowMs();
  const opened = reopened(graph, run.run, { mode, tasks: [task.id], skip: [] }, { nowMs, hasEnded: false });
  if ('conflict' in opened) throw conflict(opened.conflict);
  await fileRecheck(run, deps);
  const { applied, execution } = await deps.runs.edit(run, { set: { ...opened, touchedAtMs: nowMs } });
  if (!applied || !isAlive(execution)) return false;
  const { states } = derive(graph, execution.run);
  const before = derive(graph, run.run).states;
  const fresh = new Set(
    graph.order.filter((index) => states[index] === 'ready' && before[index] !== 'ready'),
  );
  await goOnWithRun(execution, { fresh, by: 'other' }, deps);
  return true;
}
