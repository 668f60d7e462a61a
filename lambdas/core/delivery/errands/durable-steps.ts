import type { Event } from '@aws-sdk/client-lambda';

import type { ErrandStep } from '../../domain/errand';
import { keptText } from '../../domain/target-result';

/** As many as the record of an attempt keeps: its row is read and written whole. */
const MOST_STEPS = 20;

/** What a durable execution does one by one. Other events are about the execution, or the function. */
const OF_STEP = /^(Step|Wait|Callback|ChainedInvoke|Context)(.*)$/;

/**
 * The last steps of a durable execution.
 *
 * @param newestFirst its last events
 */
export function stepsIn(newestFirst: readonly Event[]): ErrandStep[] {
  const steps = new Map<string, ErrandStep>();
  for (const {
    EventType: type = '',
    Id: id,
    Name: ownName,
    EventTimestamp: at,
  } of newestFirst.toReversed()) {
    const [, kind, what] = OF_STEP.exec(type) ?? [];
    if (kind === undefined || id === undefined) continue;
    const atMs = at?.getTime();
    const isStart = what === 'Started';
    const known = steps.get(id);
    // A step that is tried again begins once more, and may have begun before these events.
    const startedAtMs = known ? known.startedAtMs : isStart ? atMs : undefined;
    steps.set(id, {
      name: known?.name ?? keptText(ownName ?? kind, 'ofStep'),
      state: isStart ? 'open' : what === 'Succeeded' ? 'succeeded' : 'failed',
      ...(startedAtMs !== undefined && { startedAtMs }),
      ...(!isStart && atMs !== undefined && { endedAtMs: atMs }),
    });
  }
  return [...steps.values()].slice(-MOST_STEPS);
}
