import type { UsedKind } from '../contracts/tables';
import { type Job, type JobDefinition, limitNameOf } from './job';
import { secretNamesOfJob } from './target-secrets';
import { queuesOfJob } from './work';

/** Something that a job uses or waits for: it has a row that says so. */
export interface UsedThing {
  kind: UsedKind;
  name: string;
}

/** What a job uses, each once. */
export const usesOf = (
  job: Pick<Job, 'schedule' | 'target' | 'targets' | 'workflow' | 'onEnd' | 'concurrencyKey' | 'calendars'>,
): UsedThing[] => [
  ...secretNamesOfJob(job).map((name): UsedThing => ({ kind: 'secret', name })),
  ...(job.concurrencyKey === undefined
    ? []
    : [{ kind: 'concurrency-key' as const, name: limitNameOf(job.concurrencyKey) }]),
  ...causesNamedBy(job),
  ...(job.workflow?.awaits ?? []).map((name): UsedThing => ({ kind: 'await', name })),
  ...queuesOfJob(job).map((name): UsedThing => ({ kind: 'queue', name })),
  ...(job.workflow ? [{ kind: 'flow' as const, name: job.workflow.version }] : []),
  ...(job.calendars ?? []).map(({ id }): UsedThing => ({ kind: 'calendar', name: id })),
];

export const usesThing = (job: Job, { kind, name }: UsedThing): boolean =>
  usesOf(job).some((one) => one.kind === kind && one.name === name);

/** The events or the jobs that a job waits for. */
export function causesNamedBy({ schedule }: Pick<JobDefinition, 'schedule'>): UsedThing[] {
  if (typeof schedule === 'string') return [];
  if (schedule.type === 'after') return schedule.jobs.map((name) => ({ kind: 'job', name }));
  return schedule.type === 'event' ? [{ kind: 'event', name: schedule.name }] : [];
}
