import type { StageDeps } from '../../deps';
import type { Run } from '../../domain/execution';
import { isAlarmed } from '../../domain/workflow/definition';
import { derive } from '../../domain/workflow/derive';
import { callable, childrenReady } from '../../domain/workflow/progress';
import { graphOfRun } from './mark-task';
import { goOnWithRun } from './go-on-with-run';

/**
 * Goes on with a run to which an alarm was sent, or another message after its start. Tasks whose time has
 * come begin, and the others keep their alarms. Repeating it does no harm.
 */
export async function beginDue(run: Run, deps: StageDeps): Promise<void> {
  const graph = await graphOfRun(run, deps);
  const view = { run: run.run, graph };
  const derivation = derive(graph, run.run);
  const ready = [...callable(view, derivation), ...childrenReady(view, derivation)];
  const fresh = new Set(ready.filter((index) => isAlarmed(graph.tasks[index]!.task)));
  if (fresh.size > 0) await goOnWithRun(run, { fresh, by: 'other' }, deps);
}
