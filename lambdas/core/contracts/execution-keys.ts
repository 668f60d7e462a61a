import { EXECUTIONS_KEY } from './tables';

/** Separates a run from a task in the execId of a task's execution. */
const TASK_SEPARATOR = '/';
/** Separates a task from an item of its fan-out there. No id of a task has it. */
const ITEM_SEPARATOR = '.';
const ITEM_DIGITS = 5;

/** Items of a fan-out that share a partition, and the row of their marks. */
export const SEGMENT_ITEMS = 50;

/** The segment of an item, by its index. Both count from 0. */
export const segmentOf = (item: number): number => Math.floor(item / SEGMENT_ITEMS);

/** execId of an item of a fan-out: `<run>/<task>.00317`. */
export const itemExecId = (fanOut: string, item: number): string =>
  fanOut + ITEM_SEPARATOR + String(item).padStart(ITEM_DIGITS, '0');

/** An execution, as it is named outside the tables. */
interface NamedExecution {
  jobKey: string;
  execId: string;
}

/**
 * Key of an execution in Executions. Those of a run's tasks have a partition of their own:
 * `<jobKey>#<run>` / `<task>`. So have the items of each segment of a fan-out:
 * `<jobKey>#<run>#<task>.<segment>` / `00317`. No job key has a `#`, and no other execId a `/`.
 */
export function executionKeyOf({ jobKey, execId }: NamedExecution): Record<string, string> {
  const at = execId.indexOf(TASK_SEPARATOR);
  if (at < 0) return keyOf(jobKey, execId);
  const [run, task] = [execId.slice(0, at), execId.slice(at + 1)];
  const dot = task.indexOf(ITEM_SEPARATOR);
  if (dot < 0) return keyOf(`${jobKey}#${run}`, task);
  const item = task.slice(dot + 1);
  return keyOf(
    segmentKeyOf({ jobKey, execId: execId.slice(0, at + 1 + dot) }, segmentOf(Number(item))),
    item,
  );
}

/** The inverse of `executionKeyOf`. */
export function executionRefOf(partition: string, sort: string): NamedExecution {
  const at = partition.indexOf('#', 1);
  if (partition.startsWith('#') || at < 0) return { jobKey: partition, execId: sort };
  const jobKey = partition.slice(0, at);
  const [run, segment] = partition.slice(at + 1).split('#');
  if (segment === undefined) return { jobKey, execId: run! + TASK_SEPARATOR + sort };
  const task = segment.slice(0, segment.lastIndexOf(ITEM_SEPARATOR));
  return { jobKey, execId: run! + TASK_SEPARATOR + task + ITEM_SEPARATOR + sort };
}

/** Key of the head of a fan-out, beside the rows of the tasks of its run. It is no execution. */
export function fanOutHeadKeyOf({ jobKey, execId }: NamedExecution): Record<string, string> {
  const at = execId.indexOf(TASK_SEPARATOR);
  return keyOf(`${jobKey}#${execId.slice(0, at)}`, `#map#${execId.slice(at + 1)}`);
}

/** Keys of the rows of a segment that are no executions: its items, and their marks. */
export const segmentItemsKeyOf = (fanOut: NamedExecution, segment: number): Record<string, string> =>
  keyOf(segmentKeyOf(fanOut, segment), '#items');
export const segmentMarksKeyOf = (fanOut: NamedExecution, segment: number): Record<string, string> =>
  keyOf(segmentKeyOf(fanOut, segment), '#marks');

const segmentKeyOf = ({ jobKey, execId }: NamedExecution, segment: number): string =>
  `${jobKey}#${execId.replace(TASK_SEPARATOR, '#')}${ITEM_SEPARATOR}${segment}`;

const keyOf = (partition: string, sort: string): Record<string, string> => ({
  [EXECUTIONS_KEY.partition]: partition,
  [EXECUTIONS_KEY.sort]: sort,
});
