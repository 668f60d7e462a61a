import { DAY_MS } from '../../core/clock/clock';
import type { Run } from '../../core/domain/execution';
import type { Job } from '../../core/domain/job';
import { BACKFILL_TIME } from '../../core/domain/workflow/backfill';
import type { Graph } from '../../core/domain/workflow/graph';
import { faultsOfParams, paramsOf, type Params } from '../../core/domain/workflow/params';
import { reopened, type RetryMode, translated } from '../../core/domain/workflow/reopen';
import type { RunState } from '../../core/domain/workflow/run-state';
import { graphOfRun } from '../../core/ending/runs/mark-task';
import { parseDuration } from '../../core/schedule/duration';
import { startDeadline } from '../../core/store/write-deadline';
import { suggestionFor } from '../../core/contracts/suggestion';
import { putParams } from '../executions/new-run';
import { checkFit } from '../jobs/payload-schema';
import { conflict, type FieldError, invalid } from '../http/problem';
import type { ApiDeps, ApiRequest } from '../request';
import { requireApproveScope } from './skip-task';

/** What a request to retry a run asks for. */
export interface RunRetry {
  mode?: RetryMode | undefined;
  tasks?: readonly string[] | undefined;
  skip?: readonly string[] | undefined;
  definition?: 'started' | 'current' | undefined;
  params?: Params | undefined;
}

/** What the retry makes of the run: `run` as its row gets it, and whether it has parameters of its own. */
export interface RetriedRun {
  run: RunState;
  hasParams?: true;
}

/**
 * The run with its tasks opened again, for the write that lets it start again. Throws `ProblemError`. 400:
 * it has no such tasks or parameters. 403: the retry passes an approval. 409: it cannot be retried.
 */
export async function retriedRun(
  request: ApiRequest,
  seen: Run,
  job: Job,
  asked: RunRetry,
  deps: ApiDeps,
): Promise<RetriedRun> {
  const { mode = 'failed', tasks = [], skip = [], definition = 'started', params } = asked;
  checkStatus(seen, job, mode, skip, deps);
  const started = await graphOfRun(seen, deps);
  const isCurrent = definition === 'current' && job.workflow !== undefined && !seen.backfill;
  const version = isCurrent ? job.workflow!.version : seen.run.version;
  const graph = isCurrent ? await graphOfRun({ ...seen, run: { ...seen.run, version } }, deps) : started;
  const isUnnamed = (mode === 'from' || mode === 'only') && tasks.length === 0;
  const errors = [
    ...(isUnnamed ? [{ path: 'tasks', message: `is required with the mode ${mode}` }] : []),
    ...faultsOfIds('tasks', tasks, graph),
    ...faultsOfIds('skip', skip, graph),
    ...(params ? faultsOfParams(graph.workflow.params, params) : []),
  ];
  if (errors.length > 0) throw invalid(errors);
  const passes = mode === 'from' || mode === 'only' || skip.length > 0 || version !== seen.run.version;
  if (passes && [started, graph].some(hasApproval)) requireApproveScope(request);
  const { stop: _stop, heldAtMs: _heldAtMs, heldBy: _heldBy, ...kept } = seen.run;
  const before: RunState = {
    ...kept,
    ...(isCurrent && { ...translated(kept, started, graph), version, number: job.workflow!.number }),
  };
  const opened = reopened(
    graph,
    before,
    { mode, tasks, skip },
    { nowMs: deps.clock.nowMs(), hasEnded: true },
  );
  if ('conflict' in opened) throw conflict(opened.conflict);
  const given = await paramsGiven(seen, params, deps);
  if (params && given) await checkFit(job, paramsOf(graph.workflow, given), 'params');
  if (given) await putParams(seen, given, startDeadline(deps.clock), deps);
  const nowMs = deps.clock.nowMs();
  const endsAtMs = nowMs + timeoutMsOf(seen, job);
  return {
    run: { ...before, ...opened, moves: before.moves + 1, touchedAtMs: nowMs, endsAtMs },
    ...(given && { hasParams: true }),
  };
}

function checkStatus(
  seen: Run,
  job: Job,
  mode: RetryMode,
  skip: readonly string[],
  { clock, retentionDays }: ApiDeps,
): void {
  const { status, run } = seen;
  if (status === 'running') throw conflict('the run is running; retry its tasks');
  if (status === 'succeeded' && mode === 'failed' && skip.length === 0)
    throw conflict('the run has succeeded: say by mode and tasks what is to run again');
  const keptUntilMs = run.endsAtMs + retentionDays * DAY_MS;
  if (keptUntilMs < clock.nowMs() + timeoutMsOf(seen, job))
    throw conflict('the run is too old: what its tasks have left would expire before it ends');
}

/** How long the run may take from its next start on. */
const timeoutMsOf = ({ backfill }: Run, { timeout }: Job): number =>
  parseDuration(backfill ? BACKFILL_TIME : timeout);

const hasApproval = ({ tasks }: Graph): boolean => tasks.some(({ task }) => task.approval !== undefined);

export const faultsOfIds = (path: string, ids: readonly string[], { indexOf }: Graph): FieldError[] =>
  ids.flatMap((id, at) =>
    indexOf.has(id)
      ? []
      : [
          {
            path: `${path}.${at}`,
            message: `no task ${JSON.stringify(id)}${suggestionFor(id, [...indexOf.keys()])}`,
          },
        ],
  );

/** The run keeps what it was given before, and gets more. */
async function paramsGiven(
  seen: Run,
  params: Params | undefined,
  deps: ApiDeps,
): Promise<Params | undefined> {
  if (!seen.hasParams && params === undefined) return undefined;
  const before = seen.hasParams ? await deps.runInputs.get(seen) : undefined;
  return { ...before?.params, ...params };
}
