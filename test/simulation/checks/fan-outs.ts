import { type Execution, isRun } from '../../../lambdas/core/domain/execution';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import { taskExecId, taskRefOf } from '../../../lambdas/core/domain/workflow/task-id';
import { type ExecutionState, idOf, type Story } from '../story';
import { flowsOf, indexed } from '../story-index';
import { broken, clockTime, type Violation } from '../violation';

/** The items of one fan-out, in one round of its task. */
interface FanOut {
  jobKey: string;
  run: string;
  task: string;
  round: number;
  items: (readonly ExecutionState[])[];
}

/** W12. A fan-out keeps to its window, each item ends once, and its counts say how they have ended. */
export function checkFanOuts(story: Story): Violation[] {
  return fanOutsOf(story).flatMap((fanOut) => [...checkFanOut(fanOut, story)]);
}

function fanOutsOf({ states }: Story): FanOut[] {
  const found = new Map<string, FanOut>();
  for (const own of states.values()) {
    const item = itemOf(own[0]!.execution);
    if (!item) continue;
    const { jobKey, run, task, round } = item;
    const key = idOf({ jobKey, execId: taskExecId({ run, task, round }) });
    const fanOut = found.get(key) ?? { jobKey, run, task, round, items: [] };
    fanOut.items.push(own);
    found.set(key, fanOut);
  }
  return [...found.values()];
}

/** The fan-out of an item: that of its execution, or of its child when that was first started. */
function itemOf({ jobKey, execId, parent }: Execution): Omit<FanOut, 'items'> | undefined {
  if (parent?.item !== undefined)
    return { jobKey: parent.jobKey, run: parent.execId, task: parent.task, round: parent.round };
  const ref = taskRefOf(execId);
  return ref?.item === undefined ? undefined : { jobKey, run: ref.run, task: ref.task, round: ref.round };
}

function* checkFanOut({ jobKey, run, task, round, items }: FanOut, story: Story): Generator<Violation> {
  const execId = taskExecId({ run, task, round });
  const id = idOf({ jobKey, execId });
  for (const own of items) {
    if (own[0]!.execution.parent) continue; // the same child may run again, for a later round or by its user
    const ends = own.filter(({ execution }) => isTerminal(execution.status));
    if (new Set(ends.map(({ execution }) => execution.finishedAtMs)).size > 1)
      yield broken('once-a-round', `an item of ${id} has ended more than once`);
  }
  const row = story.states.get(id)?.at(-1)?.execution;
  if (row?.items) {
    const { count, succeeded, failed, cancelled } = row.items;
    if (succeeded + failed + cancelled !== count)
      yield broken('window', `${id}: ${succeeded} + ${failed} + ${cancelled} of ${count} items have ended`);
  }
  const concurrency = windowOf({ jobKey, run, task }, story);
  if (concurrency !== undefined) yield* checkWindow(id, items, concurrency, story);
}

/** The `concurrency` of a task, by the version that its run has started with. */
function windowOf(
  { jobKey, run, task }: Pick<FanOut, 'jobKey' | 'run' | 'task'>,
  { states, records }: Story,
): number | undefined {
  const started = states.get(idOf({ jobKey, execId: run }))?.find(({ execution }) => isRun(execution));
  if (started?.execution.backfill) return started.execution.backfill.parallel;
  const version = started?.execution.run?.version;
  return flowsOf({ records }).get(`${jobKey}#${version}`)?.tasks[task]?.forEach?.concurrency;
}

/** An item takes its room in the window from its first claim to its end. */
function* checkWindow(
  id: string,
  items: FanOut['items'],
  concurrency: number,
  story: Story,
): Generator<Violation> {
  const moves = items.flatMap((own) => {
    const claim = own.find(({ execution }) => execution.status === 'running');
    const end = own.find(({ execution }) => isTerminal(execution.status));
    return [...(claim ? [{ t: claim.t, by: 1 }] : []), ...(claim && end ? [{ t: end.t, by: -1 }] : [])];
  });
  let atOnce = 0;
  for (const { t, by } of moves.sort((one, other) => one.t - other.t || one.by - other.by)) {
    atOnce += by;
    const allowed = concurrency + disturbancesUntil(t, story);
    if (atOnce <= allowed) continue;
    yield broken('window', `${id}: ${atOnce} items at once at ${clockTime(t)}; allowed are ${concurrency}`);
    return;
  }
}

/** Deaths, freezes and lost answers: after each of them, one item more may begin. */
const disturbancesUntil = (untilMs: number, { records }: Story): number =>
  disturbances(records).filter(({ t }) => t <= untilMs).length;

const disturbances = indexed((records: Story['records']) =>
  records.filter(
    (record) =>
      (record.src === 'stage' && (record.type === 'killed' || record.type === 'frozen')) ||
      (record.src === 'fault' && record.type === 'store-answer-lost'),
  ),
);
