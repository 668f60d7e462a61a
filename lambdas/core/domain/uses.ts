import type { UsedKind } from '../contracts/tables';
import { type Job, targetsOf } from './job';
import { secretNamesOf } from './target-secrets';

/** A thing that a job uses. */
export interface UsedThing {
  kind: UsedKind;
  /** A secret's name, a calendar's id. */
  name: string;
}

/** What a job uses, each thing once. */
export const thingsUsedBy = (job: Pick<Job, 'target' | 'targets' | 'calendars'>): UsedThing[] => [
  ...secretNamesOf(targetsOf(job)).map((name) => ({ kind: 'secret', name }) as const),
  ...(job.calendars ?? []).map(({ id }) => ({ kind: 'calendar', name: id }) as const),
];

export const usesThing = (job: Job, { kind, name }: UsedThing): boolean =>
  thingsUsedBy(job).some((one) => one.kind === kind && one.name === name);
