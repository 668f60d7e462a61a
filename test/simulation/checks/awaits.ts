import type { Workflow } from '../../../lambdas/core/domain/workflow/definition';
import { runOf, taskRefOf } from '../../../lambdas/core/domain/workflow/task-id';
import { jobKeyOf, jobRefOf } from '../../../lambdas/core/contracts/tables';
import { isTask, type Story } from '../story';
import { indexed } from '../story-index';
import { broken, type Violation } from '../violation';

/** When a job first had an execution that has succeeded. */
const firstSuccesses = indexed((all: Story['states']) => {
  const firsts = new Map<string, number>();
  for (const states of all.values())
    for (const { t, execution } of states)
      if (execution.status === 'succeeded')
        firsts.set(execution.jobKey, Math.min(t, firsts.get(execution.jobKey) ?? t));
  return firsts;
});

/** A task that has waited for another job succeeds only after an execution of that job has. */
export function checkAwaits(flows: ReadonlyMap<string, Workflow>, story: Story): Violation[] {
  const violations: Violation[] = [];
  for (const [id, states] of story.states) {
    const end = states.find(({ execution }) => execution.status === 'succeeded');
    if (!end || !isTask(end.execution.execId)) continue;
    const { jobKey, execId } = end.execution;
    const run = story.states.get(`${jobKey}#${runOf(execId)}`)?.findLast(({ t }) => t <= end.t)
      ?.execution.run;
    const awaits = run && flows.get(`${jobKey}#${run.version}`)?.tasks[taskRefOf(execId)!.task]?.await;
    if (!awaits) continue;
    const upstream = jobKeyOf({ userId: jobRefOf(jobKey).userId, jobId: awaits.job });
    const first = firstSuccesses(story.states).get(upstream);
    if (first === undefined || first > end.t)
      violations.push(broken('not-before', `${id}: ${awaits.job} has not succeeded`));
  }
  return violations;
}
