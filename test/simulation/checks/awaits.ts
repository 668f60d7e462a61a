import type { Workflow } from '../../../lambdas/core/domain/workflow/definition';
import { runOf, taskRefOf } from '../../../lambdas/core/domain/workflow/task-id';
import { jobKeyOf, jobRefOf } from '../../../lambdas/core/contracts/tables';
import { isTask, type Story } from '../story';
import { broken, type Violation } from '../violation';

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
    const isMet = [...story.states].some(
      ([other, its]) =>
        other.startsWith(`${upstream}#`) &&
        its.some(({ t, execution }) => t <= end.t && execution.status === 'succeeded'),
    );
    if (!isMet) violations.push(broken('not-before', `${id}: ${awaits.job} has not succeeded`));
  }
  return violations;
}
