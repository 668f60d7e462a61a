import type { Quarterjack } from '../../../client';
import { CliError, exitCodeOf } from '../../exit-codes';
import { isObject } from '../../is-object';
import { applyPlan } from '../../schedules-as-code/apply';
import type { Definition } from '../../schedules-as-code/definition';
import { makePlan, type Plan } from '../../schedules-as-code/plan';
import { checkOwner } from '../check-owner';
import { jobsOfManifest, SOURCE_TAG } from '../jobs-of-manifest';
import type { ManifestJob } from '../../../client/jobs-in-code/manifest-job';
import { manifestOf } from '../manifest';
import { targetOf } from '../target';

export interface RegistrationOptions {
  module: string;
  source: string;
  /** The URL of the relay. */
  target: string;
  isPaused: boolean;
}

/** A machine that slept, or a run that was stopped, does not make up for it. */
const withoutCatchUp = (definition: Definition): Definition => ({
  ...definition,
  misfire: { ...(isObject(definition.misfire) && definition.misfire), policy: 'skip' },
});

/**
 * What to change so that a run has these jobs, and no other of the source. Throws a `CliError` if the API
 * refuses one, or if one belongs to another source.
 */
export async function planOfJobs(
  client: Quarterjack,
  jobs: readonly ManifestJob[],
  { module, source, target, isPaused }: RegistrationOptions,
): Promise<Plan> {
  const deployed = jobsOfManifest(manifestOf(jobs, source), {
    path: module,
    source,
    prefix: '',
    targetOf: targetOf({ target }),
  }).map((job) => ({
    ...job,
    definition: withoutCatchUp(job.definition),
    ...(isPaused && { paused: true }),
  }));
  const plan = await makePlan(client, deployed, { prune: `${SOURCE_TAG}:${source}` });
  checkOwner(plan, source, false);
  return plan;
}

/** Throws a `CliError` that names each job that has failed. */
export async function applyToRun(client: Quarterjack, plan: Plan, nowMs: number): Promise<void> {
  const applied = await applyPlan(client, plan, { nowMs, step: () => undefined });
  const failed = applied.filter(({ outcome }) => outcome === 'failed');
  if (failed.length > 0)
    throw new CliError(failed.map(({ error }) => error).join('\n'), exitCodeOf(failed[0]!.cause));
}

/** `2 added, 1 removed`. */
export function changesText({ added, changed, removed }: Plan): string {
  const counts = { added, changed, removed };
  const texts = Object.entries(counts).flatMap(([name, { length }]) =>
    length === 0 ? [] : `${length} ${name}`,
  );
  return texts.length === 0 ? 'unchanged' : texts.join(', ');
}
