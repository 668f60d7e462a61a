import type { StageDeps } from '../deps';
import type { EndedBy } from '../domain/ended';
import { type Execution, NEVER_CLAIMED } from '../domain/execution';
import type { Job } from '../domain/job';
import { endExecution } from './end-execution';
import { keepRangeWhole } from './skip-ranges';

/** An occurrence of a monitor whose time is over. `revision`: that of its entry, if it is known. */
export interface MissedPing extends Pick<Execution, 'jobKey' | 'execId' | 'dueAtMs'> {
  revision?: string | undefined;
}

/** Ends an occurrence for which no ping has come in time: it has failed, unless it has a row by now. */
export async function endMissed(
  { jobKey, execId, dueAtMs, revision }: MissedPing,
  job: Job,
  by: EndedBy,
  deps: StageDeps,
): Promise<void> {
  const execution: Execution = {
    ...{ jobKey, execId, trigger: 'schedule', dueAtMs, status: 'queued' },
    ...NEVER_CLAIMED,
    revision,
  };
  const end = { status: 'failed', reason: 'no-ping', error: 'no ping came in time' } as const;
  const precondition = { kind: 'unclaimed' } as const;
  const ended = await endExecution({ execution, end, precondition, job, by }, deps);
  if (ended) await keepRangeWhole(ended, deps);
}
