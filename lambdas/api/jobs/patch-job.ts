import { DEFINITION_FIELDS, JobBody, JobPatch } from '../../core/http/job';
import type { Job, JobDefinition } from '../../core/domain/job';
import { onceEach } from '../../core/delivery/checked-lookup';
import { checkDefinition, defaultMisfire, definitionOf } from './definition';
import { deliveryDepthOf } from '../http/loop-guard';
import { ifMatchOf } from '../http/etag';
import { withDefinition } from './job-changes';
import { jobResponse } from './job-view';
import { isObject, mergePatch } from './merge-patch';
import { invalidField, notFound } from '../http/problem';
import { check, requestedJob, readBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { saveJob } from './save-job';

type Patch = Record<string, unknown>;

/** Merges into what the job says now, and again where somebody else changed it meanwhile. */
export async function patchJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedJob(request);
  const patch = readPatch(request, ref.jobId);
  const deliveryDepth = deliveryDepthOf(request);
  const resolve = onceEach(deps.resolve);
  const seen = await deps.jobs.get(ref);
  if (!seen) throw notFound('job');
  const { job } = await saveJob(
    ref,
    { seen, ifMatch: ifMatchOf(request) },
    async (current) => {
      if (!current) throw notFound('job');
      const definition = merged(current, patch);
      await checkDefinition(definition, request, { settings: deps.settings, resolve });
      return (at) => withDefinition(current, definition, at, { deliveryDepth });
    },
    deps,
  );
  return jobResponse(200, job, deps);
}

/** Throws `ProblemError` 400. A name that no job has is an error even where the patch would only remove it. */
function readPatch(request: ApiRequest, jobId: string): Patch {
  const { jobId: given, ...patch } = readBody(request, JobPatch);
  if (given !== undefined && given !== jobId) throw invalidField('jobId', 'cannot be changed');
  return patch;
}

function merged(current: Job, patch: Patch): JobDefinition {
  const document: Patch = Object.fromEntries(
    DEFINITION_FIELDS.filter((field) => current[field] !== undefined).map((field) => [field, current[field]]),
  );
  document.schedule = scheduleToMerge(current.schedule, patch.schedule);
  if (current.targets || patch.targets) delete document.target;
  else document.target = targetToMerge(current.target, patch.target);
  if (isObject(patch.target)) delete document.targets;
  const definition = definitionOf(check(mergePatch(document, patch), JobBody));
  return followsKind(current, definition, patch);
}

/** What schedules of each type can share with one of another type. */
const RECURRING_FIELDS = ['timezone', 'startAt', 'endAt', 'maxRuns', 'jitter', 'exclude', 'dst'];
const SHARED_FIELDS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['cron', RECURRING_FIELDS],
  ['interval', RECURRING_FIELDS],
  ['at', ['timezone']],
  ['delay', []],
]);

/**
 * A schedule that becomes one of another type keeps only what that type has too: a merge alone would leave an
 * `expression` on an interval, and no such patch could ever be valid.
 */
function scheduleToMerge(schedule: Job['schedule'], patch: unknown): unknown {
  if (!isObject(schedule) || !isObject(patch) || patch.type === schedule.type) return schedule;
  const shared = SHARED_FIELDS.get(patch.type);
  if (!shared) return schedule;
  const kept = shared.filter((field) => Object.hasOwn(schedule, field));
  return Object.fromEntries(kept.map((field) => [field, (schedule as Patch)[field]]));
}

/** Targets of different types share nothing but how they report. */
function targetToMerge(target: Job['target'], patch: unknown): unknown {
  if (!isObject(patch) || patch.type === undefined || patch.type === target.type) return target;
  return {};
}

/**
 * A misfire policy that was only the default of its kind of schedule goes over to the default of the new
 * kind.
 */
function followsKind(current: Job, definition: JobDefinition, patch: Patch): JobDefinition {
  const named = isObject(patch.misfire) && patch.misfire.policy !== undefined;
  const wasDefault = current.misfire.policy === defaultMisfire(current.schedule);
  if (named || !wasDefault) return definition;
  return { ...definition, misfire: { ...definition.misfire, policy: defaultMisfire(definition.schedule) } };
}
