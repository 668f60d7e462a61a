import { instantText } from '../../core/clock/clock';
import type { WaitingView } from '../../core/http/openapi/workflow-answers';
import { ListWaitingQuery } from '../../core/http/workflow-queries';
import { jobRefOf, waitingSortOf } from '../../core/contracts/tables';
import { derive } from '../../core/domain/workflow/derive';
import { roundOf } from '../../core/domain/workflow/marks';
import { isAlive } from '../../core/domain/workflow/task-eligibility';
import { runOf, taskRefOf } from '../../core/domain/workflow/task-id';
import { graphOfRun } from '../../core/ending/runs/mark-task';
import { executionMapKey } from '../../core/store/execution-store';
import { findExecutions } from '../../core/store/read-whole';
import type { Waiting } from '../../core/store/waiting-store';
import type { Execution } from '../../core/domain/execution';
import { openCursor, pageView } from '../http/paging';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/**
 * 200 with what waits for a user of the project: approvals, and paused runs. Each is checked against its
 * run, so a page may be short.
 */
export async function listWaiting(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const query = readQuery(request, ListWaitingQuery);
  const after = await openCursor(query.cursor, request, deps.secret);
  const { rows, nextAfter } = await deps.waiting.list(request.project, { after, limit: query.limit });
  const runs = await readRuns(rows, deps);
  const items: Waiting[] = [];
  for (const row of rows) {
    const run = runs.get(executionMapKey({ jobKey: row.jobKey, execId: runOf(row.execId) }));
    if ((query.kind === undefined || row.kind === query.kind) && (await stillWaits(row, run, deps)))
      items.push(row);
  }
  const page = { items, ...(nextAfter !== undefined && { nextAfter }) };
  return {
    status: 200,
    body: await pageView(page, { view: waitingView, positionOf: waitingSortOf }, request, deps),
  };
}

async function readRuns(rows: readonly Waiting[], deps: ApiDeps): Promise<ReadonlyMap<string, Execution>> {
  const refs = new Map(
    rows.map(({ jobKey, execId }) => {
      const ref = { jobKey, execId: runOf(execId) };
      return [executionMapKey(ref), ref];
    }),
  );
  return (await findExecutions([...refs.values()], deps)).executions;
}

async function stillWaits(
  { kind, execId }: Waiting,
  run: Execution | undefined,
  deps: ApiDeps,
): Promise<boolean> {
  if (!isAlive(run)) return false;
  if (kind === 'held') return run.run.heldAtMs !== undefined;
  const graph = await graphOfRun(run, deps);
  const ref = taskRefOf(execId);
  const index = ref && graph.indexOf.get(ref.task);
  if (!ref || index === undefined || roundOf(run.run, index) !== ref.round || run.run.stop) return false;
  return derive(graph, run.run).states[index] === 'ready';
}

const waitingView = ({ kind, jobKey, execId, sinceMs, untilMs, note }: Waiting): WaitingView => ({
  kind,
  jobId: jobRefOf(jobKey).jobId,
  execId: runOf(execId),
  taskId: taskRefOf(execId)?.task ?? null,
  since: instantText(sinceMs),
  until: untilMs === undefined ? null : instantText(untilMs),
  note: note ?? null,
});
