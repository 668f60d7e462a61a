import { monitorTargetOf } from '../../core/domain/entry-planning';
import { jobKeyOf } from '../../core/contracts/tables';
import type { Execution } from '../../core/domain/execution';
import { expiresAtSecAfter, LONGEST_RUN_MS } from '../../core/domain/timing';
import { execIdOfBackfill } from '../../core/domain/workflow/backfill';
import type { Params } from '../../core/domain/workflow/params';
import { startBackfill as startRun } from '../../core/ending/runs/start-backfill';
import { seenAs, startSeenRuns } from '../../core/ending/start-runs';
import { BackfillBody } from '../../core/http/backfill';
import type { PlannedBackfill } from '../../core/store/backfill-store';
import { checkRoomForRuns, keyedExecId, checkParams } from '../executions/new-run';
import { authorOf } from '../http/author';
import { REPLAYED, stampOf } from '../http/idempotency-key';
import { checkNotOwn, deliveryDepthOf } from '../http/loop-guard';
import { readBody, requestedJob } from '../http/parse-request';
import { notFound, notRunHere } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { backfillView } from './backfills';
import { planBackfill, planView } from './plan-backfill';

/**
 * 202 with a backfill of a job; or, for a dry run, 200 with what it would do. Order of writes: its rows in
 * the lists of backfills → its dates → its parameters → the entry of its first attempt → its row → the
 * message.
 */
export async function startBackfill(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedJob(request);
  const body = readBody(request, BackfillBody);
  const deliveryDepth = deliveryDepthOf(request);
  const stamp = stampOf(request, body);
  const job = await deps.jobs.get(ref);
  if (!job) throw notFound('job');
  if (monitorTargetOf(job)) throw notRunHere();
  const params = body.params as Params | undefined;
  await checkParams(job, params, deps);
  if (body.dryRun) {
    const { backfill, counted } = await planBackfill(job, body, deps);
    return { status: 200, body: planView(backfill, counted) };
  }
  const { execId, known } = await keyedExecId(job.userId, stamp, execIdOfBackfill, deps);
  const before = known ? await knownBackfill({ jobKey: jobKeyOf(job), execId }, deps) : undefined;
  if (before) {
    // What an earlier request has left undone is done now; a run that has begun is not touched.
    const seen = await seenAs(before.run, { run: before.run, job }, deps);
    if (seen.entry) {
      await deps.quotas.chargeRate(request.project, 'changes');
      await startSeenRuns([seen], deps);
    }
    return accepted(before.run, before.planned, REPLAYED, deps);
  }
  checkNotOwn(job, request);
  await checkRoomForRuns(request.project, 1, deps);
  const { backfill, dueTimesMs, counted } = await planBackfill(job, body, deps);
  await deps.quotas.chargeRate(request.project, 'runs');
  const planned = { jobKey: jobKeyOf(job), execId, ...counted };
  await deps.backfills.put(planned, keptUntilSec(deps));
  const run = await startRun(
    {
      execId,
      backfill,
      dueTimesMs,
      params,
      ...(deliveryDepth !== undefined && { deliveryDepth }),
      trace: await request.trace?.(),
      userRequest: authorOf(request),
    },
    job,
    deps,
  );
  return accepted(run, planned, known ? REPLAYED : {}, deps);
}

/** As long as the rows of its run. */
const keptUntilSec = ({ clock, retentionDays }: ApiDeps): number =>
  expiresAtSecAfter(clock.nowMs() + LONGEST_RUN_MS, retentionDays);

/** Undefined if the request that got the id was given up before it had written both rows. */
async function knownBackfill(
  ref: { jobKey: string; execId: string },
  { executions, backfills }: ApiDeps,
): Promise<{ run: Execution; planned: PlannedBackfill } | undefined> {
  const [run, planned] = await Promise.all([executions.get(ref), backfills.get(ref)]);
  return run && planned && { run, planned };
}

async function accepted(
  run: Execution,
  planned: PlannedBackfill,
  headers: Record<string, string>,
  deps: ApiDeps,
): Promise<ApiResponse> {
  const body = await backfillView(run, planned, deps);
  const location = `/v1/jobs/${body.jobId}/backfills/${body.execId}`;
  return { status: 202, headers: { location, ...headers }, body };
}
