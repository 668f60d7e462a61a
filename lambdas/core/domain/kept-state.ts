import type { UsedCalendar } from './calendar';
import { DEFINITION_FIELDS } from './definition-fields';
import type { Job, JobDefinition } from './job';
import type { JobState, PlannedByCalendar } from './job-state';

/** The state that a job has now. */
export const stateOf = (job: Job): JobState => ({
  createdAtMs: job.createdAtMs,
  number: job.changeNumber,
  etag: job.etag,
  status: job.status,
  atMs: job.updatedAtMs,
  ...(job.by && { by: job.by }),
  ...(job.note !== undefined && { note: job.note }),
  ...(job.lastChange && { lastChange: job.lastChange }),
  generation: job.generation,
  revision: job.revision,
  scheduleChangedAtMs: job.scheduleChangedAtMs,
  activeSinceMs: job.activeSinceMs,
  ...(job.replannedAtMs !== undefined && { replannedAtMs: job.replannedAtMs }),
  ...(job.resumeAtMs !== undefined && { resumeAtMs: job.resumeAtMs }),
  ...(job.runsBase && { runsBase: job.runsBase }),
  definition: definitionIn(job),
  ...(job.calendars && { calendars: job.calendars.map(versionsOf) }),
});

const versionsOf = ({ id, version, earlier }: UsedCalendar): PlannedByCalendar => ({
  id,
  version,
  ...(earlier && { earlier: earlier.map((one) => ({ version: one.version, untilMs: one.untilMs })) }),
});

const definitionIn = (job: Job): JobDefinition =>
  Object.fromEntries(
    DEFINITION_FIELDS.filter((field) => job[field] !== undefined).map((field) => [field, job[field]]),
  ) as unknown as JobDefinition;
