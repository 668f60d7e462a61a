import type { AttemptRecord } from '../../../lambdas/core/domain/execution';
import { type Call, type ExecutionState, idOf, type Report, type Story } from '../story';
import { broken, clockTime, type Violation } from '../violation';

const OK = 200;
const KEPT: Record<Report['operation'], readonly AttemptRecord['outcome'][]> = {
  heartbeatAttempt: [],
  completeAttempt: ['succeeded'],
  failAttempt: ['retriable', 'fatal', 'cancelled'],
};

/**
 * What the API has confirmed to a target is on record. A target that said 202 succeeds by its report alone.
 * No attempt of a target that sends heartbeats is taken over. A token that only observes decides nothing.
 */
export const checkReports = (story: Story): Violation[] =>
  story.calls.flatMap((call) => [
    ...(call.how === 'accepted' ? checkCall(call, story) : checkObserver(call)),
  ]);

function* checkObserver(call: Call): Generator<Violation> {
  for (const { operation, status } of call.reports)
    if (operation !== 'heartbeatAttempt' && status === OK)
      yield broken('report', `${idOf(call)} fence ${call.fence}: an observer's ${operation} was confirmed`);
}

function* checkCall(call: Call, story: Story): Generator<Violation> {
  const states = story.states.get(idOf(call)) ?? [];
  const what = `${idOf(call)} fence ${call.fence}`;
  const record = states
    .at(-1)
    ?.execution.attempts.find((one) => one.fence === call.fence && one.target === (call.target ?? 0));
  for (const { operation, status } of call.reports) {
    if (operation === 'heartbeatAttempt' || status !== OK) continue;
    if (record && KEPT[operation].includes(record.outcome)) continue;
    yield broken('report', `${what}: ${operation} was confirmed, on record it is ${record?.outcome}`);
  }
  const hasCompleted = call.reports.some(({ operation }) => operation === 'completeAttempt');
  if (record?.outcome === 'succeeded' && !hasCompleted)
    yield broken('report', `${what}: its target has not reported a success`);
  if (record?.outcome === 'lost' && !story.conditions.wildClocks) yield* checkSilence(call, states, story);
}

/** The attempt was taken over: its target had been silent for as long as the lease allows. */
function* checkSilence(call: Call, states: readonly ExecutionState[], story: Story): Generator<Violation> {
  const { skewMs } = story.conditions;
  const held = states.findLast(({ execution }) => execution.fence === call.fence && execution.delegatedTo);
  const taken = states.find(({ execution }) => isLost(execution.attempts, call));
  if (!held || !taken) return;
  const { heartbeatWithinMs } = held.execution.delegatedTo!;
  const heartbeats = call.reports.filter(
    ({ operation, status }) => operation === 'heartbeatAttempt' && status === OK,
  );
  const lastMs = heartbeats.at(-1)?.sentMs;
  if (lastMs === undefined || held.execution.cancelRequested) return;
  if (taken.t < lastMs + heartbeatWithinMs - skewMs)
    yield broken('report', `${idOf(call)} fence ${call.fence}: taken over at ${clockTime(taken.t)}`);
}

const isLost = (attempts: readonly AttemptRecord[], { fence }: Call): boolean =>
  attempts.some((one) => one.fence === fence && one.outcome === 'lost');
