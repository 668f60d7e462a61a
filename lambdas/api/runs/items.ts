import { segmentOf } from '../../core/contracts/execution-keys';
import type { ItemDetailView, ItemView } from '../../core/http/openapi/item-answers';
import { ListItemsQuery } from '../../core/http/workflow-queries';
import { attemptsOf, type Execution } from '../../core/domain/execution';
import { isFanOut } from '../../core/domain/workflow/definition';
import { type FanOutHead, positionOf, roundOfItemMark, segmentsIn } from '../../core/domain/workflow/fan-out';
import { roundOf, statusOfMark } from '../../core/domain/workflow/marks';
import { fanOutRef } from '../../core/ending/runs/fan-outs/fan-out-task';
import { itemRefs } from '../../core/ending/runs/fan-outs/item-refs';
import { readSegments } from '../../core/ending/runs/fan-outs/read-segments';
import { executionMapKey, type ExecutionRef } from '../../core/store/execution-store';
import { findExecutions } from '../../core/store/read-whole';
import { attemptViews, progressView } from '../executions/execution-view';
import { filteredPage, openCursor, pageView } from '../http/paging';
import { readQuery } from '../http/parse-request';
import { notFound } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { findTask, type FoundTask } from './find-run';
import { optionalInstant } from './task-view';

/** A fan-out that was laid out. */
interface LaidOut extends FoundTask {
  index: number;
  head: FanOutHead;
}

/** 200 with the items of a fan-out, in the order of its list. */
export async function listItems(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { status, limit, cursor } = readQuery(request, ListItemsQuery);
  const after = await openCursor(cursor, request, deps.secret);
  const fanOut = await findFanOut(request, deps);
  const count = fanOut?.head.count ?? 0;
  const page = await filteredPage<ItemView>({
    after,
    limit,
    async read(last, wanted) {
      const from = last === undefined ? 0 : Number(last) + 1;
      const indexes = Array.from({ length: Math.min(wanted, count - from) }, (_, at) => from + at);
      const end = from + indexes.length;
      const items = fanOut ? await readItems(fanOut, indexes, deps) : [];
      return {
        rows: items.map(({ view }) => view),
        ...(end < count && { nextAfter: String(end - 1) }),
      };
    },
    positionOf: ({ index }) => String(index),
    keep: (views) => views.filter((view) => status === undefined || view.status === status),
  });
  const show = { view: (view: ItemView) => view, positionOf: ({ index }: ItemView) => String(index) };
  return { status: 200, body: await pageView(page, show, request, deps) };
}

/** 200 with one item of a fan-out and its attempts. */
export async function getItem(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const fanOut = await findFanOut(request, deps);
  const index = /^\d{1,5}$/.test(request.params.index ?? '') ? Number(request.params.index) : Number.NaN;
  if (!fanOut || !(index < fanOut.head.count)) throw notFound('item');
  const [item] = await readItems(fanOut, [index], deps);
  const { view, row } = item!;
  const body: ItemDetailView = {
    ...view,
    attemptList: row ? attemptViews(row) : [],
    heartbeatAt: optionalInstant(row?.heartbeatAtMs),
    ...(row && progressView(row)),
    ...(row?.output !== undefined && { output: JSON.parse(row.output) as unknown }),
  };
  return { status: 200, body };
}

/** Throws `ProblemError` 404, also for a task without items. Undefined: it was not laid out. */
async function findFanOut(request: ApiRequest, deps: ApiDeps): Promise<LaidOut | undefined> {
  const found = await findTask(request, deps);
  if (!isFanOut(found.task.task)) throw notFound('item');
  const { index } = found.task;
  const head = await deps.fanOuts.getHead(fanOutRef({ ...found, index }));
  return head && { ...found, index, head };
}

/** Items by their indexes, each with its row, if it has one. */
async function readItems(
  fanOut: LaidOut,
  indexes: readonly number[],
  deps: ApiDeps,
): Promise<{ view: ItemView; row: Execution | undefined }[]> {
  if (indexes.length === 0) return [];
  const ref = fanOutRef(fanOut);
  const segments = [...new Set(indexes.map(segmentOf))].filter((one) => one < segmentsIn(fanOut.head.count));
  const marks = await deps.fanOuts.getMarks(ref, segments);
  const listed = await readSegments(ref, segments, deps);
  const items = indexes.map((index) => {
    const endText = marks.get(segmentOf(index))?.[positionOf(index)];
    const round = endText === undefined ? undefined : roundOfItemMark(endText);
    return { index, endText, round };
  });
  const begun = indexes.filter((index) => index < fanOut.head.next);
  const rounds = new Map(items.map(({ index, round }) => [index, round]));
  const refs = await itemRefs(fanOut, begun, deps, (index) => rounds.get(index));
  const { executions } = await findExecutions([...refs.values()], deps);
  return items.map((item) => {
    const ref = refs.get(item.index);
    const row = ref && executions.get(executionMapKey(ref));
    const value = listed.get(segmentOf(item.index))?.items[positionOf(item.index)];
    return { view: { ...viewOf(fanOut, { ...item, value }, row), ...childView(fanOut, ref) }, row };
  });
}

/** The child of an item, if its fan-out starts a job. */
const childView = ({ task }: LaidOut, ref: ExecutionRef | undefined): Pick<ItemView, 'child'> =>
  task.task.job === undefined ? {} : { child: { jobId: task.task.job, execId: ref?.execId ?? null } };

function viewOf(
  { run, head, task }: LaidOut,
  { index, value, endText, round }: { index: number; value: unknown; endText?: string; round?: number },
  row: Execution | undefined,
): Omit<ItemView, 'child'> {
  const isUnbegun = index >= head.next;
  const unbegun = endText === undefined ? 'waiting' : 'stopped';
  const begun = row?.status ?? (endText === undefined ? 'queued' : statusOfMark(endText));
  return {
    index,
    item: value ?? null,
    status: isUnbegun ? unbegun : begun,
    reason: row?.reason ?? null,
    round: round ?? roundOf(run.run, task.index),
    startedAt: optionalInstant(row?.startedAtMs),
    finishedAt: optionalInstant(row?.finishedAtMs),
    attempts: row ? attemptsOf(row) : 0,
    result: row?.result ? { statusCode: row.result.statusCode ?? null, body: row.result.body ?? null } : null,
  };
}
