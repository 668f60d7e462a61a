import type { StageDeps } from '../../../deps';
import type { Execution } from '../../../domain/execution';
import { isTerminal, type TerminalStatus } from '../../../domain/transitions';
import { MAX_GATHERED_BYTES } from '../../../domain/workflow/definition';
import {
  countsOf,
  endOfFanOut,
  type FanOutHead,
  positionOf,
  roundOfItemMark,
  segmentsIn,
} from '../../../domain/workflow/fan-out';
import { segmentOf } from '../../../contracts/execution-keys';
import { readsOf } from '../../../domain/workflow/references';
import type { ItemCounts } from '../../../domain/workflow/run-state';
import { executionMapKey } from '../../../store/execution-store';
import { endUnstartedWithoutFollowUps } from '../../end-without-follow-ups';
import { unstartedTask } from '../unstarted-task';
import { type FanOutTask, fanOutRef, forEachOf } from './fan-out-task';
import { itemRefs } from './item-refs';
import { readExecutions } from '../../../store/read-whole';

/**
 * Ends a fan-out whose items have all ended: writes the row of its task, with their counts and, if a template
 * names them, their outputs. The first row counts.
 *
 * @returns the status of the row; undefined: it has expired
 */
export async function endFanOut(
  task: FanOutTask,
  head: FanOutHead,
  deps: StageDeps,
): Promise<TerminalStatus | undefined> {
  const items = countsOf(head);
  const { status, reason } = endOfFanOut(head, items, forEachOf(task));
  const row: End = {
    status,
    items,
    dueAtMs: head.laidOutAtMs,
    startedAtMs: head.laidOutAtMs,
    ...(reason && { reason }),
    ...(status === 'failed' && { result: { body: summaryOf(items) } }),
  };
  const keepsOutput = readsOf(task.graph).keepsOutput[task.index] && status !== 'cancelled';
  if (!keepsOutput) return putFanOutRow(task, row, deps);
  const output = await gatheredOutput(task, head, deps);
  const bytes = Buffer.byteLength(output);
  if (bytes <= MAX_GATHERED_BYTES) return putFanOutRow(task, { ...row, output }, deps);
  if (status === 'failed') return putFanOutRow(task, row, deps);
  const body = `the outputs of all items have ${bytes} bytes as JSON; at most ${MAX_GATHERED_BYTES} are kept`;
  return putFanOutRow(task, { ...row, status: 'failed', reason: 'output-too-large', result: { body } }, deps);
}

const summaryOf = ({ count, failed, cancelled }: ItemCounts): string =>
  `${failed} of ${count} items failed${cancelled > 0 ? `, and ${cancelled} were cancelled` : ''}`;

type End = Pick<Execution, 'status'> & Partial<Execution>;

/** Writes the row of a fan-out's task, which is terminal from the start. @returns as `endFanOut` */
export async function putFanOutRow(
  task: FanOutTask,
  end: End,
  deps: StageDeps,
): Promise<TerminalStatus | undefined> {
  const ref = fanOutRef(task);
  if (await endUnstartedWithoutFollowUps(unstartedTask(task.run, ref.execId, end, deps), 'other', deps))
    return end.status as TerminalStatus;
  const row = await deps.executions.get(ref);
  return row && isTerminal(row.status) ? row.status : undefined;
}

/** The outputs of all items in their order, as JSON: null for one that has none. */
async function gatheredOutput(task: FanOutTask, { count }: FanOutHead, deps: StageDeps): Promise<string> {
  const fanOut = fanOutRef(task);
  const segments = Array.from({ length: segmentsIn(count) }, (_, segment) => segment);
  const marks = await deps.fanOuts.getMarks(fanOut, segments);
  const items = Array.from({ length: count }, (_, item) => item);
  const refs = await itemRefs(task, items, deps, (item) =>
    roundOfItemMark(marks.get(segmentOf(item))?.[positionOf(item)] ?? ''),
  );
  const rows = await readExecutions([...refs.values()], deps);
  const outputs = items.map((item) => {
    const ref = refs.get(item);
    const row = ref && rows.get(executionMapKey(ref));
    return row?.status === 'succeeded' ? (row.output ?? 'null') : 'null';
  });
  return `[${outputs.join(',')}]`;
}
