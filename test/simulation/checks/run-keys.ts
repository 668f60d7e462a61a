import type { Execution } from '../../../lambdas/core/domain/execution';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import { stampIn } from '../sim-target';
import { type Call, idOf, type Request, type Story, versionsIn } from '../story';
import { requestsFor } from '../story-index';
import { broken, clockTime, type Violation } from '../violation';
import { tenuresOf } from './leases';

/** What is promised of delayed runs and of keys. */
export const checkRunKeys = (story: Story): Violation[] => [
  ...checkOnce(story),
  ...checkAnswers(story),
  ...story.calls.flatMap((call) => checkCall(call, story)),
];

const keyOf = ({ jobKey, key }: { jobKey: string; key: string }): string => `${jobKey} ${key}`;

/** At most one run of a key is alive. A run that calls is alive, so at most one calls. */
function checkOnce({ records }: Story): Violation[] {
  const alive = new Map<string, string>();
  const violations: Violation[] = [];
  for (const record of records) {
    if (record.src !== 'table' || record.type !== 'execution') continue;
    const { jobKey, execId, key, status } = record.execution;
    if (key === undefined) continue;
    const name = keyOf({ jobKey, key });
    const other = alive.get(name);
    if (isTerminal(status)) {
      if (other === execId) alive.delete(name);
      continue;
    }
    if (other !== undefined && other !== execId)
      violations.push(
        broken('key-once', `${name} at ${clockTime(record.t)}: ${other} and ${execId} are alive`),
      );
    alive.set(name, execId);
  }
  return violations;
}

/** The states that an execution had at some moment of a request. */
function statesDuring(story: Story, id: string, { fromMs, untilMs }: Request): Execution[] {
  const states = story.states.get(id) ?? [];
  return states
    .filter(({ t }, index) => t <= untilMs && (states[index + 1]?.t ?? Number.POSITIVE_INFINITY) >= fromMs)
    .map(({ execution }) => execution);
}

/** What was answered was true at some moment of the request. */
function* checkAnswers(story: Story): Generator<Violation> {
  for (const request of story.requests) {
    const { type, operation, jobKey, execId, body, outcome, status } = request;
    const key = body?.key;
    if (type !== 'ok' || typeof key !== 'string') continue;
    const what = `request ${request.request}, ${operation} of ${keyOf({ jobKey, key })}`;
    const during = execId === undefined ? [] : statesDuring(story, `${jobKey}#${execId}`, request);
    if (operation === 'runJob') {
      const { payload, onExisting } = body as { payload?: unknown; onExisting?: string };
      if (during.length === 0 || during.some((one) => one.key !== key))
        yield broken('key-answer', `${what}: ${execId} has not that key`);
      const stamp = stampIn(payload);
      // A repeat of a request is answered with its run, whatever has become of that.
      const isRepeat = requestsFor(story, 'runJob').some(
        (one) => one.request < request.request && stampIn(one.body?.payload) === stamp,
      );
      const isMine = status === 202 || onExisting === 'replace';
      if (isMine && !isRepeat && !during.some((one) => stampIn(one.payload?.value) === stamp))
        yield broken('key-answer', `${what}: ${execId} never had the payload ${stamp}`);
    }
    if (operation === 'cancelKeyedRun') yield* checkCancel(request, { key, what, during, outcome }, story);
  }
}

function* checkCancel(
  request: Request,
  asked: { key: string; what: string; during: readonly Execution[]; outcome: string | undefined },
  story: Story,
): Generator<Violation> {
  const { key, what, during, outcome } = asked;
  const isTrue: Record<string, () => boolean> = {
    cancelled: () => during.some(({ status }) => status === 'cancelled'),
    'cancel-requested': () => during.some(({ cancelRequested }) => cancelRequested !== undefined),
    ended: () => during.some(({ status }) => isTerminal(status)),
    unknown: () => !isAliveThroughout(request, key, story),
  };
  if (!isTrue[outcome ?? '']?.()) yield broken('key-answer', `${what}: ${outcome} was not true`);
}

/** Whether one run of the key was alive all the time. */
function isAliveThroughout(request: Request, key: string, story: Story): boolean {
  return [...story.states].some(([id, states]) => {
    const { execution } = states[0]!;
    if (execution.jobKey !== request.jobKey || execution.key !== key) return false;
    if (states[0]!.t > request.fromMs) return false;
    return statesDuring(story, id, request).every(({ status }) => !isTerminal(status));
  });
}

/**
 * A delayed run calls for the job that it was asked of, and not while that is paused, unless it goes on. A
 * pause that has an end does not hold what is due after that. It sends what it was last asked for.
 */
function checkCall(call: Call, story: Story): Violation[] {
  const states = story.states.get(idOf(call)) ?? [];
  const claimed = states.find(({ execution }) => execution.fence === call.fence);
  const tenure = tenuresOf(states).find((one) => one.fence === call.fence);
  if (!claimed || !tenure) return []; // `checkLeases` reports it
  const { delayedOf, payload, userRetries, attempts } = claimed.execution;
  const what = `${idOf(call)} fence ${call.fence} called at ${clockTime(call.t)}`;
  if (
    payload !== undefined &&
    claimed.execution.trigger === 'manual' &&
    stampIn(payload.value) !== call.stamp
  )
    return [broken('run-as-asked', `${what}: sent ${call.stamp}, asked for ${stampIn(payload.value)}`)];
  if (delayedOf === undefined || userRetries !== undefined) return [];
  const jobs = versionsIn(story, call.jobKey, tenure.fromMs, call.t).flatMap(({ job }) => job ?? []);
  if (!jobs.some(({ createdAtMs }) => createdAtMs === delayedOf))
    return [broken('held', `${what}: its job is another one`)];
  const goesOn = attempts.some(({ outcome }) => outcome !== 'lost');
  const { dueAtMs } = claimed.execution;
  const isOver = jobs.some(({ status, resumeAtMs }) => status === 'active' || resumeAtMs! <= dueAtMs);
  if (goesOn || isOver) return [];
  return [broken('held', `${what}: its job was paused`)];
}
