import { DEFINITION_FIELDS } from '../../core/domain/definition-fields';
import { JobBody, JobPatch } from '../../core/http/job';
import type { Job, JobDefinition } from '../../core/domain/job';
import { jobKeyOf } from '../../core/contracts/tables';
import type { Target } from '../../core/domain/target';
import { onceEach } from '../../core/delivery/checked-lookup';
import { checkDefinition, defaultMaxAge, defaultMisfire, definitionOf } from './definition';
import { changeOriginOf } from '../http/author';
import { checkPreconditions, preconditionsOf } from '../http/etag';
import { checkPatchType, parseWith, requestedJob, readBody } from '../http/parse-request';
import { withDefinition } from './job-changes';
import { jobResponse } from './job-view';
import { isObject, mergePatch } from './merge-patch';
import { invalidField, notFound } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { changeJob } from './change-job';
import { repeatOnLostRace, type SavedJob, startChange } from './save-job';
import { withContent } from './workflow-versions';

type Patch = Record<string, unknown>;

/** 200 with the merged job. If another request changes the job meanwhile, merges again into that state. */
export const patchJob = async (request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> =>
  jobResponse(200, await patchOneJob(request, deps), deps);

export async function patchOneJob(request: ApiRequest, deps: ApiDeps): Promise<SavedJob> {
  const ref = requestedJob(request);
  const patch = readPatch(request, ref.jobId);
  const origin = await changeOriginOf(request);
  const preconditions = preconditionsOf(request);
  const resolve = onceEach(deps.resolve);
  const seen = await deps.jobs.get(ref);
  if (!seen) throw notFound('job');
  return repeatOnLostRace(seen, async (current) => {
    checkPreconditions(preconditions, current);
    if (!current) throw notFound('job');
    const definition = patchedDefinition(await withContent(jobKeyOf(current), current, deps), patch);
    const checked = await checkDefinition(definition, request, { ...deps, resolve });
    const moment = await startChange(current, deps);
    const next = withDefinition(current, checked, origin, moment.nowMs, deps);
    return changeJob(current, next, moment, deps);
  });
}

/** Throws `ProblemError` 400 or 415. An unknown field is an error even if the patch would only remove it. */
function readPatch(request: ApiRequest, jobId: string): Patch {
  checkPatchType(request);
  const { jobId: given, ...patch } = readBody(request, JobPatch);
  if (given !== undefined && given !== jobId) throw invalidField('jobId', 'cannot be changed');
  return patch;
}

/** The definition with the patch merged in. Throws `ProblemError` 400 if the result is invalid. */
function patchedDefinition(current: Job, patch: Patch): JobDefinition {
  const document: Patch = Object.fromEntries(
    DEFINITION_FIELDS.filter((field) => current[field] !== undefined).map((field) => [field, current[field]]),
  );
  document.schedule = scheduleToMerge(current.schedule, patch.schedule);
  if (current.workflow) document.workflow = current.workflow.content;
  if (current.targets || patch.targets || current.workflow) delete document.target;
  else document.target = targetToMerge(current.target!, patch.target);
  if (isObject(patch.target) || isObject(patch.workflow)) delete document.targets;
  if (isObject(patch.target) || patch.targets) delete document.workflow;
  if (isObject(patch.workflow)) delete document.target;
  document.retry = retryToMerge(current);
  const definition = definitionOf(parseWith(mergePatch(document, patch), JobBody));
  return withDefaultMisfire(current, definition, patch);
}

/** The retry policy to merge into. A default that depends on other fields follows them. */
function retryToMerge({ retry: { maxAge, ...rest }, ...current }: Job): object {
  return maxAge === defaultMaxAge(current) ? rest : { ...rest, maxAge };
}

const RECURRING_FIELDS = ['timezone', 'startAt', 'endAt', 'maxRuns', 'jitter', 'exclude', 'only', 'dst'];
/** By the new type of a schedule, the fields that it keeps from the old type. */
const SHARED_FIELDS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['cron', [...RECURRING_FIELDS, 'onExcluded']],
  ['interval', RECURRING_FIELDS],
  ['at', ['timezone']],
  ['delay', []],
  ['none', []],
  ['after', []],
  ['event', []],
]);

/**
 * The schedule to merge into. When the type changes, it keeps only the fields that the new type has. A plain
 * merge would leave an `expression` on an interval, and no such patch could ever be valid.
 */
function scheduleToMerge(schedule: Job['schedule'], patch: unknown): unknown {
  if (!isObject(schedule) || !isObject(patch) || patch.type === schedule.type) return schedule;
  const shared = SHARED_FIELDS.get(patch.type);
  if (!shared) return schedule;
  const kept = shared.filter((field) => Object.hasOwn(schedule, field));
  return Object.fromEntries(kept.map((field) => [field, (schedule as Patch)[field]]));
}

/** The target to merge into. When the type changes, the new target starts without fields. */
function targetToMerge(target: Target, patch: unknown): unknown {
  if (!isObject(patch) || patch.type === undefined || patch.type === target.type) return target;
  return {};
}

/**
 * If the misfire policy was the default for the type of schedule, and the patch names none, it becomes the
 * default for the new type.
 */
function withDefaultMisfire(current: Job, definition: JobDefinition, patch: Patch): JobDefinition {
  const named = isObject(patch.misfire) && patch.misfire.policy !== undefined;
  const wasDefault = current.misfire.policy === defaultMisfire(current.schedule);
  if (named || !wasDefault) return definition;
  return { ...definition, misfire: { ...definition.misfire, policy: defaultMisfire(definition.schedule) } };
}
