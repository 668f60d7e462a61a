import type { RunOutcome } from '../contracts/events';
import type { Execution, Run } from './execution';
import type { FollowUpSource } from './follow-ups';
import type { Job } from './job';

/**
 * Who ends an execution. `executor`: under its lease, whose entry is rechecked until the end. `sweeper`:
 * during the recheck of its entry, which is repeated if it fails. `other`: anyone else, who files an entry
 * first.
 */
export type EndedBy = 'executor' | 'sweeper' | 'other';

/** What is published about an execution that has ended, and what notifications go by. */
export type EndedExecution = Pick<
  Execution,
  | 'jobKey'
  | 'execId'
  | 'dueAtMs'
  | 'status'
  | 'reason'
  | 'finishedAtMs'
  | 'fence'
  | 'skipped'
  | 'parent'
  | 'pace'
> & { workflow?: RunOutcome };

/** An execution that has ended, with what its follow-ups need: a status read tells as much. */
export interface EndedRow extends EndedExecution, FollowUpSource, Pick<Execution, 'askedAtMs' | 'watched'> {
  /** If the caller has read it. */
  job?: Job | undefined;
}

/** What the caller knows of an execution that has ended. */
export interface EndContext {
  job?: Job | undefined;
  by: EndedBy;
  /** Only for a task: its run, as the caller has read it. */
  run?: Run | undefined;
}
