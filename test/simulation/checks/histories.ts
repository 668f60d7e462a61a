import type { AttemptRecord, Execution } from '../../../lambdas/core/domain/execution';
import type { Task } from '../../../lambdas/core/domain/workflow/definition';
import { taskRefOf } from '../../../lambdas/core/domain/workflow/task-id';
import { type Call, type ExecutionState, groupBy, idOf, isManual, isTask, type Story } from '../story';
import { askedFor, callsOf, flowsOf, rowOf } from '../story-index';
import { isSame } from '../same';
import { broken, clockTime, type Violation } from '../violation';
import { tenuresOf } from './leases';

/** Repeated here, so that the code's own table is checked too. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  '': ['queued', 'running', 'skipped', 'cancelled'],
  queued: ['running', 'cancelled', 'skipped'],
  running: ['running', 'succeeded', 'failed', 'cancelled', 'skipped', 'retrying'],
  retrying: ['running', 'failed', 'cancelled', 'skipped'],
};
const TERMINAL = ['succeeded', 'failed', 'cancelled', 'skipped'];
const MOST_LOST_IN_A_ROW = 5;

export function checkHistories(story: Story): Violation[] {
  const violations: Violation[] = [];
  for (const [id, states] of story.states) {
    violations.push(...checkStates(id, states, story));
    const row = rowOf(story, id);
    if (!row) violations.push(broken('history', `${id} is gone before its time`));
    else violations.push(...checkAttempts(id, row, states, story), ...checkTimes(id, row, story));
  }
  return violations;
}

/**
 * A report of one target may end the execution before the others are on record. If the job is gone, a lost
 * attempt has one record for all of its targets.
 */
const isLeftOut = (call: Call, calls: readonly Call[], records: readonly AttemptRecord[]): boolean =>
  calls.some(({ fence, how }) => fence === call.fence && how === 'accepted') ||
  records.some(({ fence, outcome }) => fence === call.fence && outcome === 'lost');

const RETRIED_BY_USER = ['failed', 'cancelled', 'skipped'];

/** Only a user retry leads out of an end. */
const isUserRetry = (from: string, { status, jobKey, execId }: Execution, story: Story): boolean =>
  RETRIED_BY_USER.includes(from) &&
  status === 'retrying' &&
  askedFor(story, 'retryExecution', { jobKey, execId }).length > 0;

/** A retry of the run above a child, or of its task, leads to the next round of the child. */
const isNextRound = (before: Execution | undefined, now: Execution, story: Story): boolean =>
  now.status === 'retrying' &&
  (now.parent?.round ?? 0) > (before?.parent?.round ?? 0) &&
  story.requests.some(
    ({ operation, body }) =>
      operation === 'retryExecution' || operation === 'retryTask' || body?.action === 'retry',
  );

/** A failed execution stays failed, and no longer blocks its ordering key. */
const isUnblocked = (before: Execution | undefined, now: Execution, { requests }: Story): boolean =>
  before?.blocksKey === true &&
  isSame(withoutLater({ ...before, blocksKey: undefined }), withoutLater({ ...now, blocksKey: undefined })) &&
  requests.some(
    ({ operation, body }) =>
      operation === 'unblockOrderingKey' || operation === 'cancelExecution' || body?.action === 'cancel',
  );

/** A later event of its key has moved a run that has not begun. */
const isMoved = (before: Execution | undefined, now: Execution): boolean =>
  before?.status === 'queued' &&
  now.status === 'queued' &&
  now.fence === 0 &&
  now.cause?.type === 'event' &&
  (now.startAtMs ?? 0) > (before.startAtMs ?? before.dueAtMs);

/** A delayed run was replaced, held or released before its first attempt. */
const isPutOff = (before: Execution | undefined, now: Execution): boolean =>
  before !== undefined &&
  (now.status === 'queued' || now.status === 'retrying') &&
  before.status === now.status &&
  before.fence === now.fence &&
  now.attempts.length === 0 &&
  now.timesMoved === (before.timesMoved ?? 0) + 1;

/** Its key is free for another run from now on, and nothing else of it changes. */
const hasFreedKey = (before: Execution | undefined, now: Execution): boolean =>
  before !== undefined &&
  now.keyFreed === true &&
  isSame(withoutLater({ ...before, keyFreed: true }), withoutLater(now));

function* checkStates(id: string, states: readonly ExecutionState[], story: Story): Generator<Violation> {
  let before: Execution | undefined;
  for (const { t, execution } of states) {
    if (before && isSame(withoutLater(execution), withoutLater(before))) continue;
    const from = before?.status ?? '';
    const isAsked =
      isUserRetry(from, execution, story) ||
      isUnblocked(before, execution, story) ||
      isNextRound(before, execution, story) ||
      isMoved(before, execution) ||
      isPutOff(before, execution) ||
      hasFreedKey(before, execution);
    const isOfRun = isTask(execution.execId) || execution.parent !== undefined;
    const isDecided = !before && isOfRun && execution.fence === 0;
    // No worker came for it.
    const isGivenUp = execution.reason === 'not-started' && (from === '' || from === 'queued');
    const isMisfit = execution.reason === 'bad-payload' && from === '';
    // Its job runs elsewhere: the row is that of the ping, or of the miss.
    const isOfMonitor = from === '' && (execution.ping !== undefined || execution.reason === 'no-ping');
    const mayBe = isAsked || isDecided || isGivenUp || isMisfit || isOfMonitor;
    if (!NEXT[from]?.includes(execution.status) && !mayBe) {
      yield broken('transition', `${id}: ${from || 'nothing'} → ${execution.status} at ${clockTime(t)}`);
    }
    const kept = execution.attempts.slice(0, before?.attempts.length ?? 0);
    if (before && !isSame(kept, before.attempts)) {
      yield broken('history', `${id}: records changed at ${clockTime(t)}`);
    }
    before = execution;
  }
}

/** Late results decide nothing, and a skipped range may be written later than a row inside it. */
const withoutLater = ({ lateResults: _, insideRange: __, ...execution }: Execution): object => execution;

/** Target calls and records of attempts are one to one. Every claim has its end. */
function* checkAttempts(
  id: string,
  row: Execution,
  states: readonly ExecutionState[],
  story: Story,
): Generator<Violation> {
  const calls = callsOf(story, id);
  const recordsOf = groupBy(row.attempts, nameOf);
  for (const [name, records] of recordsOf) {
    if (records.length > 1) yield broken('history', `${id}: fence ${name} has ${records.length} records`);
    const [record] = records;
    const called = calls.some((call) => nameOf(call) === name);
    // An executor may freeze before its request is sent. The call has timed out when it thaws. What has no
    // value for its key calls nothing: `checkSlotKeys` says whether it has none.
    const runsElsewhere = states.some(
      ({ execution }) =>
        execution.fence === record!.fence &&
        (execution.openErrand !== undefined || execution.delegatedTo?.byPing),
    );
    const excused =
      runsElsewhere ||
      record!.outcome === 'lost' ||
      /^(not called|timed out|concurrencyKey: )/.test(record!.error ?? '');
    if (!called && !excused)
      yield broken('history', `${id}: fence ${name} is on record and was never called`);
  }
  if (TERMINAL.includes(row.status)) {
    const tenures = tenuresOf(states);
    for (const call of calls) {
      if (
        !recordsOf.has(nameOf(call)) &&
        !isLeftOut(call, calls, row.attempts) &&
        tenures.some(({ fence }) => fence === call.fence)
      )
        yield broken('history', `${id}: the call of fence ${nameOf(call)} is not on record`);
    }
  }
  for (const call of calls) {
    const outcome = recordsOf.get(nameOf(call))?.[0]?.outcome;
    if (call.how === 'succeeded' && outcome && outcome !== 'succeeded' && outcome !== 'lost') {
      yield broken('success-kept', `${id}: fence ${nameOf(call)} succeeded, on record it is ${outcome}`);
    }
  }
  const succeeded = row.attempts.filter(({ outcome }) => outcome === 'succeeded');
  if (new Set(succeeded.map(({ target }) => target)).size < succeeded.length) {
    yield broken('success-kept', `${id} has succeeded twice`);
  }
  yield* checkBounds(id, row, story);
}

/** A call, and the record of it: its fence, and its target if the job has several. */
const nameOf = ({ fence, target = 0 }: { fence: number; target?: number }): string =>
  target === 0 ? `${fence}` : `${fence} of target ${target}`;

/** What decides on an attempt with several targets: a failure, else a loss, else a success. */
const decisiveOf = (records: readonly AttemptRecord[]): AttemptRecord =>
  records.find(({ outcome }) => outcome !== 'lost' && outcome !== 'succeeded') ??
  records.find(({ outcome }) => outcome === 'lost') ??
  records[0]!;

/** Whether an executor gave it back before it was called: its calls may be long by then. */
const wasGivenBack = (id: string, { states }: Story): boolean =>
  states.get(id)!.some(({ execution }, index, all) => {
    const before = all[index - 1]?.execution;
    return (
      before?.status === 'running' &&
      execution.status === 'retrying' &&
      execution.attempt > before.attempt &&
      execution.attempts.length === before.attempts.length
    );
  });

/** What the versions of a job's workflow say of the task of an execution. */
function definitionsOf({ jobKey, execId }: Execution, story: Story): Task[] {
  const id = taskRefOf(execId)?.task;
  if (id === undefined) return [];
  return [...flowsOf(story)].flatMap(([version, { tasks }]) =>
    version.startsWith(`${jobKey}#`) ? (tasks[id] ?? []) : [],
  );
}

function* checkBounds(id: string, row: Execution, story: Story): Generator<Violation> {
  const versions = story.versions.get(row.jobKey) ?? [];
  const tasks = definitionsOf(row, story);
  const targets = [...versions.map(({ job }) => job?.target), ...tasks.map(({ target }) => target)];
  // What is given back takes a number, and leaves no record.
  const mayRelease = targets.some((target) => target?.type === 'worker') || wasGivenBack(id, story);
  const policies = [...versions.map(({ job }) => job?.retry), ...tasks.map(({ retry }) => retry)];
  const allowed = Math.max(0, ...policies.map((policy) => policy?.maxAttempts ?? 0));
  for (const records of livesOf(row, story)) {
    const life = [...groupBy(records, ({ fence }) => fence).values()].map(decisiveOf);
    const answered = life.filter(({ outcome }) => outcome !== 'lost').length;
    if (answered > allowed) yield broken('attempts', `${id}: ${answered} of ${allowed}`);
    let lost = 0;
    for (const [index, { outcome, attempt }] of life.entries()) {
      const isNext = mayRelease ? attempt > (life[index - 1]?.attempt ?? 0) : attempt === index + 1;
      if (!isNext) yield broken('attempts', `${id}: attempt ${attempt} at index ${index}`);
      lost = outcome === 'lost' ? lost + 1 : 0;
      if (lost > MOST_LOST_IN_A_ROW) yield broken('attempts', `${id}: ${lost} lost in a row`);
    }
  }
}

/** The attempts of each life of an execution. A user retry begins a new one, with attempts from 1. */
function livesOf(row: Execution, { states }: Story): Execution['attempts'][] {
  const lives: Execution['attempts'][] = [];
  let from = 0;
  let before: Execution | undefined;
  for (const { execution } of states.get(idOf(row)) ?? []) {
    if (before && TERMINAL.includes(before.status) && execution.status === 'retrying') {
      lives.push(row.attempts.slice(from, before.attempts.length));
      from = before.attempts.length;
    }
    before = execution;
  }
  return [...lives, row.attempts.slice(from)];
}

function* checkTimes(id: string, row: Execution, story: Story): Generator<Violation> {
  if (story.conditions.wildClocks) return;
  const { skewMs } = story.conditions;
  const { startedAtMs, finishedAtMs } = row;
  if (startedAtMs !== undefined && startedAtMs < row.dueAtMs - skewMs && !isManual(row.execId)) {
    yield broken('order', `${id}: started ${clockTime(startedAtMs)}, due ${clockTime(row.dueAtMs)}`);
  }
  if (TERMINAL.includes(row.status) && finishedAtMs === undefined) yield broken('order', `${id}: no end`);
  if (startedAtMs !== undefined && finishedAtMs !== undefined && finishedAtMs < startedAtMs - skewMs) {
    yield broken('order', `${id}: finished ${clockTime(finishedAtMs)}, started ${clockTime(startedAtMs)}`);
  }
  for (const record of row.attempts) {
    if (record.finishedAtMs < record.startedAtMs - skewMs) {
      yield broken('order', `${id}: attempt ${record.attempt} ended before it began`);
    }
  }
}
