import { instantText } from '../../clock/clock';
import { scheduleContextOf } from '../../domain/entry-planning';
import type { Execution } from '../../domain/execution';
import type { Job } from '../../domain/job';
import type { TaskData } from '../../domain/workflow/task-data';
import { dateText } from '../../schedule/instant';
import { parseSchedule } from '../../schedule/parse';
import { wallTimeOf } from '../../templates/moment';
import type { Values } from '../../templates/render';
import type { RUN_FIELDS } from '../../templates/roots';
import type { Json } from '../../templates/syntax';
import { deliveryIdOf } from '../delivery';

/**
 * What the templates of a job are rendered with. Nothing in it differs between the attempts of an execution:
 * `startedAt` is the start of the first one.
 *
 * @param data only for a task: what its templates may name besides
 */
export function runValues(execution: Execution, job: Job, data?: TaskData): Values {
  const { dueAtMs, startedAtMs } = execution;
  const schedule = parseSchedule(job.schedule, scheduleContextOf(job));
  const { zone } = schedule.plan;
  const run: Readonly<Record<(typeof RUN_FIELDS)[number], Json | undefined>> = {
    ...data?.run,
    id: execution.execId,
    get deliveryId() {
      return deliveryIdOf(execution.jobKey, execution.execId);
    },
    dueAt: instantText(dueAtMs),
    /** Searched only if a template asks for it. */
    get previousDueAt() {
      const previousMs = schedule.previous(dueAtMs);
      return previousMs === undefined ? undefined : instantText(previousMs);
    },
    day: dateText(wallTimeOf({ ms: dueAtMs }, zone).wallSec),
    startedAt: startedAtMs === undefined ? undefined : instantText(startedAtMs),
    trigger: execution.trigger,
    jobId: job.jobId,
  };
  const { params, tasks, item } = data ?? {};
  // A property that is undefined counts as missing.
  const ofItem = item && { item: item.value, index: item.index };
  return { roots: { run: run as Json, ...(params && { params }), ...(tasks && { tasks }), ...ofItem }, zone };
}
