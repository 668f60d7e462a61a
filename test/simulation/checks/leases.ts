import type { Execution } from '../../../lambdas/core/domain/execution';
import { type Call, type ExecutionState, groupBy, idOf, type Story } from '../story';
import { callsOf, indexed } from '../story-index';
import { broken, clockTime, type Violation } from '../violation';

/** From the last check of the lease to the request on the wire. */
const ON_THE_WIRE_MS = 1_000;

/** The time for which a claim held its lease. */
export interface Tenure {
  fence: number;
  claimId: string;
  fromMs: number;
  untilMs: number;
}

/** The tenures of an execution, in order. */
export const tenuresOf = indexed(tenuresIn);

function tenuresIn(states: readonly ExecutionState[]): readonly Tenure[] {
  const tenures: Tenure[] = [];
  for (const { t, execution } of states) {
    const last = tenures.at(-1);
    const isSame =
      execution.status === 'running' &&
      execution.claimId === last?.claimId &&
      execution.fence === last?.fence;
    if (last && last.untilMs === Number.POSITIVE_INFINITY && !isSame) last.untilMs = t;
    if (execution.status !== 'running' || isSame || execution.run) continue;
    const { fence, claimId = '' } = execution;
    tenures.push({ fence, claimId, fromMs: t, untilMs: Number.POSITIVE_INFINITY });
  }
  return tenures;
}

/** Leases follow one another, their fences rise by 1, and no call outlives its lease. */
export function checkLeases(story: Story): Violation[] {
  const violations: Violation[] = [];
  for (const [id, states] of story.states) {
    const tenures = tenuresOf(states);
    violations.push(...checkTable(id, states, tenures));
    if (story.conditions.wildClocks) continue;
    const byTarget = groupBy(callsOf(story, id), ({ target }) => target);
    for (const calls of byTarget.values()) violations.push(...checkCalls(id, calls, tenures, story));
  }
  for (const id of new Set(story.calls.map(idOf))) {
    if (story.states.has(id)) continue;
    const { length } = callsOf(story, id);
    violations.push(broken('lease', `${id} was called ${length} times without a claim`));
  }
  return violations;
}

function* checkTable(
  id: string,
  states: readonly ExecutionState[],
  tenures: readonly Tenure[],
): Generator<Violation> {
  let before: Execution | undefined;
  for (const { t, execution } of states) {
    if (
      before?.status === 'running' &&
      execution.status === 'running' &&
      before.claimId !== execution.claimId &&
      !execution.run && // a run needs no lease
      !execution.delegatedTo?.errand?.endsAs // the watcher gets what is to end
    ) {
      yield broken('lease', `${id}: claimed at ${clockTime(t)} while it was leased`);
    }
    before = execution;
  }
  for (const [index, { fence, fromMs }] of tenures.entries()) {
    const expected = (tenures[index - 1]?.fence ?? fenceBeforeOf(id)) + 1;
    if (fence !== expected)
      yield broken('fence', `${id}: fence ${fence} at ${clockTime(fromMs)}, not ${expected}`);
  }
}

function* checkCalls(
  id: string,
  calls: readonly Call[],
  tenures: readonly Tenure[],
  story: Story,
): Generator<Violation> {
  let before: Call | undefined;
  for (const call of calls) {
    const tenure = tenures.find(({ fence }) => fence === call.fence);
    const at = `${id} fence ${call.fence} called at ${clockTime(call.t)} by ${call.node}`;
    if (!tenure || call.t < tenure.fromMs) yield broken('lease', `${at}: not claimed`);
    else if (call.t > tenure.untilMs + ON_THE_WIRE_MS) {
      yield broken('lease', `${at}: its lease was over at ${clockTime(tenure.untilMs)}`);
    }
    if (before && call.fence <= before.fence) yield broken('fence', `${at}: after fence ${before.fence}`);
    const beforeEndMs = before ? (before.endMs ?? Number.POSITIVE_INFINITY) : 0;
    if (before && beforeEndMs > call.t && !story.frozen.has(before.node)) {
      yield broken('attempts-apart', `${at}: fence ${before.fence} went on until ${clockTime(beforeEndMs)}`);
    }
    before = call;
  }
}

/** Each round of a task has 10,000 fences. */
const fenceBeforeOf = (id: string): number => (Number(/~(\d+)(?:\.\d+)?$/.exec(id)?.[1] ?? 1) - 1) * 10_000;
