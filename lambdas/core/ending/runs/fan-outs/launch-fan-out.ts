import { inParallel } from '../../../async/in-parallel';
import { chunksOf } from '../../../async/chunks';
import { SEGMENT_ITEMS, segmentOf } from '../../../contracts/execution-keys';
import type { StageDeps } from '../../../deps';
import type { Job } from '../../../domain/job';
import { taskExecId } from '../../../domain/workflow/task-id';
import type { TerminalStatus } from '../../../domain/transitions';
import {
  type FanOutHead,
  isFull,
  type ItemMarks,
  isWhole,
  positionOf,
  roundOfItemMark,
  sizeOfSegment,
  sumOf,
} from '../../../domain/workflow/fan-out';
import { isAlarmed } from '../../../domain/workflow/definition';
import { keptRoundOf, markOf, statusOfMark, timeOfMark } from '../../../domain/workflow/marks';
import type { ExecutionRef } from '../../../store/execution-store';
import type { Json } from '../../../templates/syntax';
import { waitsForTime } from '../alarm';
import { endFanOut, putFanOutRow } from './end-fan-out';
import { type FanOutTask, fanOutExpiry, fanOutRef, forEachOf } from './fan-out-task';
import { beginItems } from './item-ends';
import { listItems } from './list-items';

/** Segments that are written at the same time. */
const CONCURRENCY = 10;

/**
 * Lays out a fan-out that is ready, and begins its first items. Order of writes: the items of each segment →
 * the head, whose first writer counts → the messages. All who lay it out write the same; a crash anywhere is
 * repaired by the run's recheck.
 *
 * @returns the status with which it has ended by this; undefined: it goes on
 */
export async function launchFanOut(
  task: FanOutTask,
  job: Job,
  deps: StageDeps,
): Promise<TerminalStatus | undefined> {
  const listed = await listItems(task, job, deps);
  if ('fault' in listed) {
    const end = { status: 'failed', reason: 'bad-input', result: { body: listed.fault } } as const;
    return putFanOutRow(task, end, deps);
  }
  const { items } = listed;
  const kept = await keptMarks(task, items, deps);
  await writeSegments(task, items, kept, deps);
  const written = await deps.fanOuts.putHead(
    fanOutRef(task),
    headOf(task, items.length, kept, deps.clock.nowMs()),
    fanOutExpiry(task, deps),
  );
  if (!written.isNew) return undefined;
  if (isWhole(written.head)) return endFanOut(task, written.head, deps);
  return beginItems(
    task,
    openItems(items.length, kept).filter((item) => item < written.head.next),
    deps,
  );
}

/** Whether a fan-out with a time of its own is to wait for it, or is laid out already. */
export const isLaterOrBegun = async (
  task: FanOutTask,
  notBeforeMs: number,
  deps: StageDeps,
): Promise<boolean> =>
  isAlarmed(task.graph.tasks[task.index]!.task) &&
  ((await deps.fanOuts.getHead(fanOutRef(task))) !== undefined ||
    (await waitsForTime(task, notBeforeMs, deps)));

/** The marks that this round keeps of an earlier one, by segment. */
type KeptMarks = ReadonlyMap<number, ItemMarks>;

const isKept = (kept: KeptMarks, item: number): boolean =>
  kept.get(segmentOf(item))?.[positionOf(item)] !== undefined;

/** The items that are to run. */
const openItems = (count: number, kept: KeptMarks): number[] =>
  Array.from({ length: count }, (_, item) => item).filter((item) => !isKept(kept, item));

function headOf(task: FanOutTask, count: number, kept: KeptMarks, nowMs: number): FanOutHead {
  const { concurrency = count } = forEachOf(task);
  const open = openItems(count, kept);
  const last = open[Math.min(concurrency, open.length) - 1];
  const sums = [...kept]
    .filter(([segment, marks]) => isFull(marks, sizeOfSegment(count, segment)))
    .map(([segment, marks]) => [segment, sumOf(marks)] as const);
  return {
    count,
    next: open.length <= concurrency || last === undefined ? count : last + 1,
    laidOutAtMs: nowMs,
    movedAtMs: nowMs,
    sums: Object.fromEntries(sums),
  };
}

async function writeSegments(
  task: FanOutTask,
  items: readonly Json[],
  kept: KeptMarks,
  deps: StageDeps,
): Promise<void> {
  const fanOut = fanOutRef(task);
  const expiresAtSec = fanOutExpiry(task, deps);
  const segments = chunksOf(items, SEGMENT_ITEMS).map((chunk, segment) => ({ chunk, segment }));
  await inParallel(segments, CONCURRENCY, async ({ chunk, segment }) => {
    await deps.fanOuts.putItems(fanOut, segment, { count: items.length, items: chunk }, expiresAtSec);
    const marks = kept.get(segment);
    if (marks) await deps.fanOuts.markItems(fanOut, segment, marks, expiresAtSec);
  });
}

/**
 * What stays of an earlier round: the items that have succeeded there, as long as the list has the same item
 * in the same place. Their marks name the rounds of their rows.
 */
async function keptMarks(task: FanOutTask, items: readonly Json[], deps: StageDeps): Promise<KeptMarks> {
  const { run, graph, index } = task;
  const round = keptRoundOf(run.run, index);
  if (round === undefined) return new Map();
  const execId = taskExecId({ run: run.execId, task: graph.tasks[index]!.id, round });
  const before: ExecutionRef = { jobKey: run.jobKey, execId };
  const chunks = chunksOf(items, SEGMENT_ITEMS);
  const marks = await deps.fanOuts.getMarks(before, [...chunks.keys()]);
  const kept = new Map<number, ItemMarks>();
  for (const [segment, chunk] of chunks.entries()) {
    const then = await deps.fanOuts.getItems(before, segment);
    const stays = Object.entries(marks.get(segment) ?? {}).filter(
      ([at, mark]) =>
        statusOfMark(mark) === 'succeeded' &&
        JSON.stringify(then?.items[Number(at)]) === JSON.stringify(chunk[Number(at)]),
    );
    if (stays.length === 0) continue;
    const withRounds = stays.map(([at, mark]): [string, string] => [
      at,
      markOf('succeeded', timeOfItemMark(mark, task), run.run, roundOfItemMark(mark) ?? round),
    ]);
    kept.set(segment, Object.fromEntries(withRounds));
  }
  return kept;
}

const timeOfItemMark = (mark: string, { run }: FanOutTask): number => timeOfMark(mark, run.run);
