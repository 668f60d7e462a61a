import { isTerminal } from '../../../lambdas/core/domain/transitions';
import { groupBy, idOf, type Story, userOf } from '../story';
import { broken, clockTime, type Violation } from '../violation';
import { checkApart } from './times';

/**
 * An executor read the queue at most this long before it acquires the key: it lives no longer, frozen or not.
 */
const OLDEST_READ_MS = 900_000;
/** The same, once no node is frozen any more. */
const RECENT_READ_MS = 10_000;

/** Executions that share an ordering key run, from first call to end, one after another. */
export function checkKeysApart(story: Story): Violation[] {
  if (story.conditions.wildClocks) return [];
  const ordered = [...story.states].filter(
    ([, states]) => states.at(-1)!.execution.orderingKey !== undefined,
  );
  const byKey = groupBy(ordered, ([, states]) => {
    const { jobKey, orderingKey } = states.at(-1)!.execution;
    return `${userOf(jobKey)} ${orderingKey}`;
  });
  return [...byKey.values()].flatMap((executions) => [...checkApart('key-apart', executions, story)]);
}

/** An execution never acquires the ordering key while a ticket ahead of its own is not over. */
export function checkKeyOrder(story: Story): Violation[] {
  if (story.conditions.wildClocks) return [];
  const violations: Violation[] = [];
  const quietFromMs =
    story.conditions.mode === 'liveness' ? story.healedMs + OLDEST_READ_MS : Number.POSITIVE_INFINITY;
  const queues = new Map<string, Map<string, { sort: string; sinceMs: number }>>();
  const over = new Set<string>();
  for (const record of story.records) {
    if (record.src !== 'table') continue;
    if (record.type === 'execution') {
      const { execution } = record;
      if (isTerminal(execution.status)) over.add(idOf(execution));
      else over.delete(idOf(execution));
    } else if (record.type === 'ticket') {
      const tickets = queues.get(record.queue) ?? new Map<string, { sort: string; sinceMs: number }>();
      queues.set(record.queue, tickets);
      if (record.exists) tickets.set(idOf(record), { sort: record.sort, sinceMs: record.t });
      else tickets.delete(idOf(record));
    } else if (record.type === 'key-holder') {
      const own = queues.get(record.queue)?.get(idOf(record));
      const readAtMs = record.t - (record.t > quietFromMs ? RECENT_READ_MS : OLDEST_READ_MS);
      for (const [id, { sort, sinceMs }] of queues.get(record.queue) ?? []) {
        if (!own || sort >= own.sort || over.has(id) || sinceMs > readAtMs) continue;
        const what = `${idOf(record)} at ${clockTime(record.t)}`;
        violations.push(broken('key-order', `${what} went past ${id}`));
      }
    }
  }
  return violations;
}
