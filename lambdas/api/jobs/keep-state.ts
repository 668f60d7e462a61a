import { jobKeyOf } from '../../core/contracts/tables';
import { DEFINITION_FIELDS } from '../../core/http/job';
import type { Job, JobDefinition } from '../../core/domain/job';
import type { JobState, Removal } from '../../core/domain/job-state';
import { expiresAtSecAfter } from '../../core/domain/timing';
import { withinDeadline, type WriteDeadline } from '../http/write-deadline';
import { FIRST_CHANGE } from './job-changes';
import type { ApiDeps } from '../request';

/** The state that a job has now. */
export const stateOf = (job: Job): JobState => ({
  createdAtMs: job.createdAtMs,
  number: job.changeNumber ?? FIRST_CHANGE,
  etag: job.etag,
  status: job.status,
  atMs: job.updatedAtMs,
  ...(job.by && { by: job.by }),
  ...(job.note !== undefined && { note: job.note }),
  ...(job.lastChange && { lastChange: job.lastChange }),
  generation: job.generation,
  scheduleChangedAtMs: job.scheduleChangedAtMs,
  definition: definitionIn(job),
});

const definitionIn = (job: Job): JobDefinition =>
  Object.fromEntries(
    DEFINITION_FIELDS.filter((field) => job[field] !== undefined).map((field) => [field, job[field]]),
  ) as unknown as JobDefinition;

/**
 * Keeps the state that a change is about to replace, or a delete to remove. Call it before that write, so
 * that no state is lost. The row does no harm if the write then fails or loses a race. Its state is still the
 * job's then, or the request that won has kept it too. `removed` counts only if no later state follows.
 */
export async function keepState(
  current: Job,
  moment: WriteDeadline,
  deps: Pick<ApiDeps, 'changes' | 'clock' | 'log' | 'retentionDays'>,
  removed?: Removal,
): Promise<void> {
  const state = {
    ...stateOf(current),
    ...(removed && { removed }),
    expiresAtSec: expiresAtSecAfter(moment.nowMs, deps.retentionDays),
  };
  await withinDeadline(moment, (options) => deps.changes.put(jobKeyOf(current), state, options), deps);
}
