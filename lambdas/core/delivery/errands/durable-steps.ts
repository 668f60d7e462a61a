import type { Event } from '@aws-sdk/client-lambda';

import type { ErrandStep } from '../../domain/errand';

/** As many as the record of an attempt keeps: its row is read and written whole. */
const MOST_STEPS = 20;
const MOST_CHARACTERS = 64;

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
    // A step that is tried again begins once more.
    const startedAtMs = known?.startedAtMs ?? (isStart ? atMs : undefined);
    steps.set(id, {
      name: known?.name ?? (ownName ?? kind).slice(0, MOST_CHARACTERS),
      state: isStart ? 'open' : what === 'Succeeded' ? 'succeeded' : 'failed',
      ...(startedAtMs !== undefined && { startedAtMs }),
      ...(!isStart && atMs !== undefined && { endedAtMs: atMs }),
    });
  }
  return [...steps.values()].slice(-MOST_STEPS);
}
