import type { FollowUps, StageDeps } from '../deps';
import type { EndContext, EndedRow, EndedBy } from '../domain/ended';
import { isTerminal } from '../domain/transitions';
import { isTaskExecution } from '../domain/workflow/task-id';

/** Does a part of what must follow ends. Repeating it does no harm. */
export interface Listener {
  /** Whether it hears of a single end. It hears of every end of a page. */
  listensTo(ended: EndedRow, by: EndedBy): boolean;
  /** @returns the ends for which it failed, with the reason. It never throws */
  after(ended: readonly EndedRow[], deps: StageDeps): Promise<ReadonlyMap<EndedRow, unknown>>;
}

/** After the end of a task: goes on with its run. */
type TaskListener = (ended: EndedRow, run: EndContext['run'], deps: StageDeps) => Promise<void>;

/**
 * Follow-ups by listeners, which hear of ends one after another, in their order. The mark of a task comes
 * last. It does not come at all if the sweeper's recheck fails before: the next one does all of it once more.
 */
export const followUpsBy = (listeners: readonly Listener[], afterTask: TaskListener): FollowUps => ({
  async afterPage(ended, deps) {
    const failed = new Map<EndedRow, unknown>();
    for (const { after } of listeners)
      for (const [one, reason] of await after(ended, deps)) failed.set(one, reason);
    return failed;
  },

  async afterOne(ended, { job, by, run }, deps) {
    const errors: unknown[] = [];
    for (const { listensTo, after } of listeners)
      if (listensTo(ended, by)) errors.push(...(await after([{ ...ended, job }], deps)).values());
    for (const error of errors) leave(error, ended, by, deps);
    if (!isTaskExecution(ended.execId) || !isTerminal(ended.status)) return;
    try {
      await afterTask(ended, run, deps);
    } catch (error) {
      leave(error, ended, by, deps);
    }
  },
});

function leave(error: unknown, { jobKey, execId }: EndedRow, by: EndedBy, { log }: StageDeps): void {
  if (by === 'sweeper') throw error;
  log.error('the follow-ups of an end are left to its recheck', error, { jobKey, execId });
}
