import { type ConcurrencyKeyRef, slotsKeyOf } from '../../../lambdas/core/contracts/tables';
import { DEFAULT_CONCURRENCY } from '../../../lambdas/core/domain/concurrency-key';
import type { Execution } from '../../../lambdas/core/domain/execution';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import { type ExecutionState, groupBy, idOf, isTask, type Story, userOf } from '../story';
import { callsOfRun, indexed } from '../story-index';
import { broken, clockTime, type Invariant, type Violation } from '../violation';
import { limitsRead, OLDEST_READ_MS, RECENT_READ_MS } from './key-limits';

/**
 * Unless the policy is `allow`, executions of a job run, from first call to end, one after another. Where a
 * user edits the policy, this holds for those that were claimed under another policy.
 */
export function checkOverlap(story: Story): Violation[] {
  if (story.conditions.wildClocks) return [];
  const violations: Violation[] = [];
  for (const [jobKey, versions] of story.versions) {
    const policies = new Set(versions.flatMap(({ job }) => job?.overlap ?? []));
    if (policies.size === 0 || (policies.size === 1 && policies.has('allow'))) continue;
    const ofJob = [...story.states].filter(
      ([id, [first]]) => id.startsWith(`${jobKey}#`) && !isTask(first!.execution.execId),
    );
    const occupies = (claimed: Execution) =>
      claimed.occupiesJob === true || (!policies.has('allow') && !ignoresOverlap(claimed));
    violations.push(...checkApart('overlap', ofJob, { counts: occupies, isOver: isEnded }, story));
  }
  return violations;
}

/** A backfill itself calls nothing. Its dates are told whether to acquire the lock. */
const ignoresOverlap = ({ backfill, parent }: Execution): boolean =>
  backfill !== undefined || parent?.overlap === 'ignore';

/** Executions that share an ordering key run, from first call to end, one after another. */
export function checkKeysApart(story: Story): Violation[] {
  if (story.conditions.wildClocks) return [];
  const byKey = new Map<string, { orderingKey: string; executions: [string, readonly ExecutionState[]][] }>();
  for (const [id, states] of story.states) {
    for (const orderingKey of new Set(states.flatMap(({ execution }) => execution.orderingKey ?? []))) {
      const name = `${userOf(states[0]!.execution.jobKey)} ${orderingKey}`;
      const group = byKey.get(name) ?? { orderingKey, executions: [] };
      group.executions.push([id, states]);
      byKey.set(name, group);
    }
  }
  return [...byKey.values()].flatMap(({ orderingKey, executions }) => [
    ...checkApart(
      'key-apart',
      executions,
      { counts: (claimed) => claimed.orderingKey === orderingKey, isOver: freesKey },
      story,
    ),
  ]);
}

/**
 * No more executions of a concurrency key than its limit run at a time, from first call to end. A key without
 * a limit of its own has that of its rule. Where a user changes a limit, this holds for one that was in the
 * table when the execution may have read it.
 */
export function checkLimits(story: Story): Violation[] {
  if (story.conditions.wildClocks) return [];
  const byKey = new Map<string, { ref: ConcurrencyKeyRef; stays: Stay[] }>();
  for (const [id, states] of story.states) {
    for (const key of new Set(states.flatMap(({ execution }) => execution.concurrencyKey ?? []))) {
      const userId = userOf(states[0]!.execution.jobKey);
      const name = `${userId} ${key}`;
      const counts = (claimed: Execution) => claimed.concurrencyKey === key;
      const group = byKey.get(name) ?? { ref: { userId, concurrencyKey: key }, stays: [] };
      group.stays.push(...staysOf(id, states, { counts, isOver: isEnded }, story));
      byKey.set(name, group);
    }
  }
  return [...byKey].flatMap(([name, { ref, stays }]) =>
    stays.flatMap(({ id, fromMs }) => {
      const atOnce = stays.filter((other) => other.fromMs <= fromMs && other.untilMs > fromMs);
      if (atOnce.length <= DEFAULT_CONCURRENCY) return [];
      // One that took its slot under a lower limit may make its first call after a later one was let in.
      const limit = Math.max(...atOnce.map((one) => mostAllowed(ref, one.id, one.fromMs, story)));
      if (atOnce.length <= limit) return [];
      return [
        broken('limit', `${id} began ${clockTime(fromMs)}: ${atOnce.length} of ${name} run, not ${limit}`),
      ];
    }),
  );
}

/** Who took the slots of each concurrency key, in the order of the table. */
const slotRecords = indexed((records: Story['records']) =>
  groupBy(
    records.flatMap((record) => (record.src === 'table' && record.type === 'slot' ? [record] : [])),
    ({ queue }) => queue,
  ),
);

/** The highest limit that the key had while the execution may have read it: right before it took its slot. */
function mostAllowed(ref: ConcurrencyKeyRef, id: string, begunMs: number, story: Story): number {
  const taken = (slotRecords(story.records).get(slotsKeyOf(ref)) ?? []).findLast(
    ({ t, holder }) => t <= begunMs && holder !== null && idOf(holder) === id,
  );
  const untilMs = taken?.t ?? begunMs;
  const fromMs = untilMs - (story.frozen.size > 0 ? OLDEST_READ_MS : RECENT_READ_MS);
  const known = limitsRead(story, ref, { fromMs, untilMs });
  return Math.max(DEFAULT_CONCURRENCY, ...known.map(({ limit }) => limit));
}

const isEnded = ({ status }: Execution): boolean => isTerminal(status);

/** One that failed may block its key until a user unblocks it, or retries it. */
const freesKey = (now: Execution, before: Execution | undefined): boolean =>
  (isTerminal(now.status) && !now.blocksKey) || (before?.blocksKey === true && !now.blocksKey);

/** Which calls count, by their claims, and with which state of its row an execution is over. */
interface Stays {
  counts(claimed: Execution): boolean;
  isOver(now: Execution, before: Execution | undefined): boolean;
}

/**
 * None of these executions is called before the ones called earlier are over.
 */
function* checkApart(
  invariant: Invariant,
  executions: readonly [string, readonly ExecutionState[]][],
  rules: Stays,
  story: Story,
): Generator<Violation> {
  const stays = executions
    .flatMap(([id, states]) => staysOf(id, states, rules, story))
    .sort((a, b) => a.fromMs - b.fromMs);
  for (const [index, stay] of stays.entries()) {
    const before = stays.slice(0, index).find(({ untilMs }) => untilMs > stay.fromMs);
    if (!before) continue;
    const when = `${clockTime(stay.fromMs)}, ${before.id} ended ${clockTime(before.untilMs)}`;
    yield broken(invariant, `${stay.id} began ${when}`);
  }
}

/** From the first call of an execution to its end. */
interface Stay {
  id: string;
  fromMs: number;
  untilMs: number;
}

/** From the first call that counts to the end, once for each life: a user retry begins another. */
function staysOf(
  id: string,
  states: readonly ExecutionState[],
  { counts, isOver }: Stays,
  story: Story,
): Stay[] {
  // The calls of a run are those of its tasks.
  const calls = callsOfRun(story, id).filter((call) => {
    // A user retry changes what a row holds, and not its fence: the claim is the first state with the fence.
    // A run in a later life may hold another key than the one with which it made the call.
    const claimed = isTask(call.execId)
      ? states.findLast(({ t, execution }) => t <= call.t && execution.fence > 0)?.execution
      : states.find(({ execution }) => execution.fence === call.fence)?.execution;
    return claimed !== undefined && counts(claimed);
  });
  const stays: Stay[] = [];
  let sinceMs = 0;
  const ends = states
    .filter(({ execution }, index) => isOver(execution, states[index - 1]?.execution))
    .map(({ t }) => t);
  for (const untilMs of [...ends, Number.POSITIVE_INFINITY]) {
    const first = calls.find((call) => call.t >= sinceMs && call.t <= untilMs);
    if (first) stays.push({ id, fromMs: first.t, untilMs });
    sinceMs = untilMs;
  }
  return stays;
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
