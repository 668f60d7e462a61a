import { DATE_MARK } from '../../contracts/tickets';
import type { Execution, ParentTask } from '../execution';
import type { Job } from '../job';
import { isTerminal } from '../transitions';

/** Whether an execution was started by a backfill for one of its dates, by its id. */
export const isBackfilled = (execId: string): boolean => execId.startsWith(DATE_MARK, execId.indexOf('-'));

/** Whether a backfill has started a child: it holds no gates, and what it starts passes its own. */
export const isOfBackfill = ({ overlap }: ParentTask): boolean => overlap !== undefined;

/**
 * Whether a child waits by the wish of its own user, and has passed no gate. A run that holds gates never
 * waits for it (docs/adr/0037).
 */
export const waitsByItself = ({ parent, status, attempt }: Execution): boolean =>
  parent?.ownGates === true && attempt === 1 && !isTerminal(status) && status !== 'running';

/** Whether a child that has not ended has taken longer than its task allows. */
export const isOverdue = ({ status, parent }: Pick<Execution, 'status' | 'parent'>, nowMs: number): boolean =>
  parent?.untilMs !== undefined && !isTerminal(status) && parent.untilMs <= nowMs;

/** The job by which an execution is delivered: its output is kept, if a task above it is read. */
export const asChild = (job: Job, { parent }: Pick<Execution, 'parent'>): Job =>
  parent?.keepsOutput ? { ...job, keepsOutput: true } : job;
