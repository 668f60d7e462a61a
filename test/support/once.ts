import type { Call } from './dynamo/memory-dynamo';
import type { WorkflowWorld } from './workflow-world';

/**
 * Does something once, before or after the first call that matches. That call waits for it. A test may ask
 * for several such things: each has its own first call.
 *
 * @returns tells how often it was done
 */
export function once(
  { world: { dynamo } }: Pick<WorkflowWorld, 'world'>,
  at: 'before' | 'after',
  matches: (call: Call) => boolean,
  act: () => unknown,
): () => number {
  const { [at]: earlier, ...others } = dynamo.faults;
  let times = 0;
  dynamo.faults = {
    ...others,
    [at]: async (call: Call) => {
      await earlier?.(call);
      if (times > 0 || !matches(call)) return;
      times += 1;
      await act();
    },
  };
  return () => times;
}
