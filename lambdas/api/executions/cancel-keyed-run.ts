import { CancelRunBody } from '../../core/http/run';
import type { CancelledRunView } from '../../core/http/openapi/job';
import { jobKeyOf } from '../../core/contracts/tables';
import { isTerminal } from '../../core/domain/transitions';
import { notFound, ProblemError } from '../http/problem';
import { readBody, requestedJob } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { cancelExecution } from './cancel-execution';
import { isRetained } from './execution-view';
import { namedRunOf } from './keyed-run';

const MAX_TRIES = 3;

/**
 * 200 with what has become of the run that a key names. A cancel before the run is asked for stores nothing.
 */
export async function cancelKeyedRun(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedJob(request);
  const { key } = readBody(request, CancelRunBody);
  return { status: 200, body: await cancelRunOf({ jobKey: jobKeyOf(ref), key }, request, deps) };
}

async function cancelRunOf(
  { jobKey, key }: { jobKey: string; key: string },
  request: ApiRequest,
  deps: ApiDeps,
): Promise<CancelledRunView> {
  for (let tries = 1; ; tries++) {
    const { named, run } = await namedRunOf({ jobKey, key }, deps);
    if (!run || !isRetained(run, deps.clock.nowMs())) {
      if (!named && !(await deps.jobs.get(requestedJob(request)))) throw notFound('job');
      return { outcome: 'unknown' };
    }
    const { execId, status } = run;
    if (status === 'cancelled') return { outcome: 'cancelled', execId };
    if (isTerminal(status)) return { outcome: 'ended', execId };
    const { body: _, ...asked } = request;
    try {
      const { body } = await cancelExecution({ ...asked, params: { ...request.params, execId } }, deps);
      const { status: after } = body as { status: string };
      return { outcome: after === 'cancelled' ? 'cancelled' : 'cancel-requested', execId };
    } catch (error) {
      // It may have ended meanwhile, or the key may name another run.
      if (!(error instanceof ProblemError) || error.status !== 409 || tries === MAX_TRIES) throw error;
    }
  }
}
