import { jobKeyOf } from '../../core/contracts/tables';
import type { JobRef } from '../../core/contracts/tables';
import { Metric } from '../../core/contracts/metrics';
import { EmptyBody, JobBody } from '../../core/http/job';
import type { JobDefinition } from '../../core/domain/job';
import type { JobState } from '../../core/domain/job-state';
import { changeOriginOf } from '../http/author';
import { checkPreconditions, preconditionsOf } from '../http/etag';
import { parseWith, readOptionalBody } from '../http/parse-request';
import { conflict } from '../http/problem';
import { checkDefinition } from '../jobs/definition';
import { withContent } from '../jobs/workflow-versions';
import {
  type ChangeOrigin,
  type CheckedDefinition,
  type JobWithSchedule,
  newJob,
  sameValue,
  withDefinition,
} from '../jobs/job-changes';
import { jobResponse } from '../jobs/job-view';
import { changeJob } from '../jobs/change-job';
import { insertJob } from '../jobs/insert-job';
import { repeatOnLostRace, startChange } from '../jobs/save-job';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { findChange, newestState } from './find-change';

/**
 * 200 with the job, whose definition is again that of the change, to the byte; its status stays. 201 if the
 * job was deleted: it is created again with the status of that state, and its numbers go on. The definition
 * meets the same checks as that of a PUT.
 */
export async function restoreJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  readOptionalBody(request, EmptyBody);
  const { ref, job, change } = await findChange(request, deps);
  const { state, number } = change;
  if (change.what === 'deleted')
    throw conflict(`change ${number} deleted the job; restore the change before it`);
  if (!state.definition) throw conflict(`the definition of change ${number} was deleted`);
  const definition = await withContent(jobKeyOf(ref), state.definition, deps);
  parseWith(bodyOf(definition), JobBody);
  const checked = await checkDefinition(definition, request, deps);

  const origin = { ...(await changeOriginOf(request)), restoredFrom: number };
  const preconditions = preconditionsOf(request);
  const saved = await repeatOnLostRace(job, async (current) => {
    checkPreconditions(preconditions, current);
    const last = current ? undefined : await newestState(ref, deps);
    const moment = await startChange(current, deps);
    if (current) {
      const next = withDefinition(current, checked, origin, moment.nowMs, { ...deps, isSame });
      return changeJob(current, next, moment, deps);
    }
    const next = jobComeBack(ref, { ...state, definition: checked }, last, origin, moment.nowMs, deps);
    return insertJob(next, moment, deps);
  });
  const isNew = saved.outcome === 'created';
  if (isNew) deps.meter.count(Metric.registered);
  return jobResponse(isNew ? 201 : 200, saved, deps);
}

/** The definition as a body gives it: without the first target beside all of them. */
const bodyOf = ({ target, targets, workflow, ...fields }: JobDefinition): object => {
  if (workflow) return { ...fields, workflow: workflow.content };
  return targets ? { ...fields, targets } : { ...fields, target };
};

/** Targets see the order of a payload's fields, and may sign or hash it. */
const isSame: typeof sameValue = (before, after, field) =>
  field === 'payload' ? JSON.stringify(before) === JSON.stringify(after) : sameValue(before, after, field);

/** A deleted job, as it was in `state`. Its history goes on from `last`, the newest state that is kept. */
function jobComeBack(
  ref: JobRef,
  state: JobState & { definition: CheckedDefinition },
  last: JobState = state,
  origin: ChangeOrigin & { restoredFrom: number },
  nowMs: number,
  deps: ApiDeps,
): JobWithSchedule {
  const { job, schedule } = newJob(ref, state.definition, origin, nowMs, deps);
  return {
    schedule,
    job: {
      ...job,
      createdAtMs: last.createdAtMs,
      changeNumber: last.number + 2, // the deletion has the number between
      lastChange: { what: 'restored', from: origin.restoredFrom },
      ...(state.status === 'paused' && { status: 'paused', pausedAtMs: nowMs }),
    },
  };
}
