import { isTerminal } from '../../../lambdas/core/domain/transitions';
import { groupBy, idOf, type Story, userOf } from '../story';
import { broken, clockTime, type Violation } from '../violation';
import { checkApart } from './times';

/** An executor has looked at the line at most this long before it takes the turn: it lives no longer, frozen or not. */
const LONGEST_LOOK_MS = 900_000;
/** Where nothing is frozen any more. */
const SHORT_LOOK_MS = 10_000;

/** Executions that share an ordering key go on, from first call to end, one after another. */
export function checkKeysApart(story: Story): Violation[] {
  if (story.conditions.wildClocks) return [];
  const ordered = [...story.states].filter(
    ([, states]) => states.at(-1)!.execution.orderingKey !== undefined,
  );
  const lines = groupBy(ordered, ([, states]) => {
    const { jobKey, orderingKey } = states.at(-1)!.execution;
    return `${userOf(jobKey)} ${orderingKey}`;
  });
  return [...lines.values()].flatMap((executions) => [...checkApart('key-apart', executions, story)]);
}

/** The turn never goes past one that stands ahead and is not over. */
export function checkKeyOrder(story: Story): Violation[] {
  if (story.conditions.wildClocks) return [];
  const violations: Violation[] = [];
  const quietFromMs =
    story.conditions.mode === 'liveness' ? story.healedMs + LONGEST_LOOK_MS : Number.POSITIVE_INFINITY;
  const lines = new Map<string, Map<string, { sort: string; sinceMs: number }>>();
  const over = new Set<string>();
  for (const record of story.records) {
    if (record.src !== 'table') continue;
    if (record.type === 'execution') {
      const { execution } = record;
      if (isTerminal(execution.status)) over.add(idOf(execution));
      else over.delete(idOf(execution));
    } else if (record.type === 'place') {
      const places = lines.get(record.line) ?? new Map<string, { sort: string; sinceMs: number }>();
      lines.set(record.line, places);
      if (record.stands) places.set(idOf(record), { sort: record.sort, sinceMs: record.t });
      else places.delete(idOf(record));
    } else if (record.type === 'turn') {
      const own = lines.get(record.line)?.get(idOf(record));
      const lookedAtMs = record.t - (record.t > quietFromMs ? SHORT_LOOK_MS : LONGEST_LOOK_MS);
      for (const [id, { sort, sinceMs }] of lines.get(record.line) ?? []) {
        if (!own || sort >= own.sort || over.has(id) || sinceMs > lookedAtMs) continue;
        const what = `${idOf(record)} at ${clockTime(record.t)}`;
        violations.push(broken('key-order', `${what} went past ${id}`));
      }
    }
  }
  return violations;
}
