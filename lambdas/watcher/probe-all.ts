import type { ProbeRequest } from '../core/contracts/messages';
import { jobRefOf } from '../core/contracts/tables';
import { ERRAND_RULES } from '../core/domain/errand';
import { isOnErrand, type OnErrand } from '../core/domain/lease';
import type { WatcherDeps } from './deps';
import { probe } from './probe';

interface Ordered {
  id: string;
  message: ProbeRequest;
}

type Handled = (ids: readonly string[], handle: () => Promise<'done' | 'put-back'>) => Promise<void>;

/**
 * Makes the probes that were ordered. Errands of one service in one place, whose ids are known, are asked for
 * together: services count questions, and not what they are about.
 */
export async function probeAll(
  ordered: readonly Ordered[],
  handled: Handled,
  deps: WatcherDeps,
): Promise<void> {
  const groups = new Map<string, { ids: string[]; executions: Map<string, OnErrand> }>();
  for (const { id, message } of ordered)
    await handled([id], async () => {
      const execution = await deps.executions.get(message.probe);
      if (!execution || !isOnErrand(execution)) return 'done';
      const key = `${execution.jobKey} ${execution.execId}`;
      const together = togetherOf(execution) ?? key;
      const group = groups.get(together) ?? { ids: [], executions: new Map<string, OnErrand>() };
      groups.set(together, group);
      group.ids.push(id);
      group.executions.set(key, execution);
      return 'done';
    });
  // Side by side: one service that does not answer leaves the others their time.
  await Promise.all(
    [...groups.values()].map(({ ids, executions }) =>
      handled(ids, () => probe([...executions.values()], deps)),
    ),
  );
}

/** What is the same for all that one question may be about. Undefined: it is about this one alone. */
function togetherOf({ jobKey, delegatedTo }: OnErrand): string | undefined {
  const { type, id, resource, runsIn } = delegatedTo.errand;
  const isAlone = id === undefined || !ERRAND_RULES[type].isAskedTogether;
  return isAlone ? undefined : [type, jobRefOf(jobKey).userId, runsIn ?? resource].join(' ');
}
